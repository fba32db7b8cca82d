import './styles/tokens.css'
import './styles/base.css'
import './styles/shared.css'
import './styles/tables.css'
import './styles/charts.css'

import { atom, createStore, Provider } from 'jotai'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Notice } from '../components/Notice.tsx'
import { awaitRefreshAtom, changeSessionAtom, restoreSessionAtom } from '../features/session/atoms.ts'
import { SessionScreen } from '../features/session/SessionScreen.tsx'
import type { RequestOutcome } from '../lib/auth-fetch.ts'
import { backendAtom, createBackend } from '../lib/backend.ts'
import { loadConfig, OtherAddress } from '../lib/config.ts'
import { checkConnectionAtom, markReachableAtom, waitToTryAgain } from '../lib/connection.ts'
import { reload } from '../lib/new-version.ts'
import { unwrapInTransition } from '../lib/unwrap-in-transition.ts'
import { pause, readFirstScreen } from './first-screen.ts'
import { loadLater } from './load-later.ts'

// A separate chunk, so the tables don't delay sign-in. Not React.lazy, which shows its content up to 0.3 s late.
const mainScreenAtom = unwrapInTransition(
  atom(() => import('./MainScreen.tsx')),
  () => undefined,
)

// The newest function that the client needs. Without it, index.html says which browsers have it.
if (!('groupBy' in Map)) throw new Error('This browser is too old')

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
const root = createRoot(element, {
  // Called after a bug or a failed chunk load. Drafts are stored outside the screen, so they survive.
  onUncaughtError(error) {
    console.error('The screen could not be rendered', error)
    root.render(<ErrorScreen>Something went wrong. Your unsaved changes are not lost.</ErrorScreen>)
  },
})
const store = createStore()

// Not a top-level await: Rolldown would then split the code that several chunks share into many small files.
async function start() {
  const config = await loadConfig()
  // Another task, so the page can answer the rider in between.
  await pause(0)
  const backend = createBackend(config, {
    onRequest: trackConnection,
    onSession: (event, session) => store.set(changeSessionAtom, event, session),
    wait: waitToTryAgain,
  })
  store.set(backendAtom, backend)
  window.addEventListener('offline', () => void store.set(checkConnectionAtom))
  store.set(restoreSessionAtom)
  loadLater(store)
  await readFirstScreen(store, mainScreenAtom)
  startTransition(() =>
    root.render(
      <StrictMode>
        <Provider store={store}>
          <SessionScreen contentAtom={mainScreenAtom} />
        </Provider>
      </StrictMode>,
    ),
  )
}

start().catch((cause: unknown) => {
  console.error('The configuration could not be loaded', cause)
  root.render(
    <ErrorScreen>
      {cause instanceof OtherAddress
        ? cause.message
        : 'The tracker cannot be reached. Check your connection and try again.'}
    </ErrorScreen>,
  )
})

function trackConnection(outcome: RequestOutcome, path: string) {
  if (outcome !== 'unanswered') {
    store.set(markReachableAtom)
    return
  }
  if (path.endsWith('/auth/v1/token')) store.set(awaitRefreshAtom)
  void store.set(checkConnectionAtom)
}

function ErrorScreen({ children }: { children: string }) {
  return (
    <main className="page">
      <h1>RWGPS Maintenance Tracker</h1>
      <Notice action={{ label: 'Try again', run: reload }}>{children}</Notice>
    </main>
  )
}
