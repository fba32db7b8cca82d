import './styles/tokens.css'
import './styles/base.css'

import { createStore, Provider } from 'jotai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { followSessionAtom, missSessionAtom, reviewLinkAtom } from '../features/session'
import { backendAtom, connect, storedUser } from '../lib/backend.ts'
import { loadConfig } from '../lib/config.ts'
import { answeredAtom, lookAtom, waitToTryAgain } from '../lib/connection.ts'
import type { Fate } from '../lib/session-review.ts'
import { App, loadMainScreen } from './App.tsx'
import { keepShell } from './shell.ts'
import { Stopped } from './Stopped.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
const root = createRoot(element, {
  // A fault of the program, or a part of it that could not be loaded; drafts are kept outside the screen.
  onUncaughtError(error) {
    console.error('The screen could not be drawn', error)
    root.render(<Stopped>Something went wrong here. What you typed is kept.</Stopped>)
  },
})
const store = createStore()

// The development server has nothing that could be kept: each file is as new as it is.
if (import.meta.env.PROD) keepShell()

try {
  const config = await loadConfig()
  // On its way while Auth looks at the session.
  if (storedUser(config)) void loadMainScreen()
  store.set(backendAtom, connect(config, { tell: hear, wait: waitToTryAgain }))
  window.addEventListener('offline', () => void store.set(lookAtom))
  store.set(followSessionAtom)
  void store.set(reviewLinkAtom)
  root.render(
    <StrictMode>
      <Provider store={store}>
        <App />
      </Provider>
    </StrictMode>,
  )
} catch (cause) {
  console.error('The configuration could not be read', cause)
  root.render(<Stopped>The tracker cannot be reached. Check your connection and try again.</Stopped>)
}

function hear(fate: Fate, path: string) {
  if (fate !== 'unanswered') {
    store.set(answeredAtom)
    return
  }
  if (path.endsWith('/auth/v1/token')) store.set(missSessionAtom)
  void store.set(lookAtom)
}
