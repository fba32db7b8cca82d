import { atom, type createStore } from 'jotai'

import { sessionStatusAtom } from '../features/session/atoms.ts'
import { mayPreload, whenIdle } from '../lib/idle.ts'
import { isEverythingReadAtom } from '../lib/resource.ts'

const isFirstScreenCompleteAtom = atom((get) => {
  const status = get(sessionStatusAtom)
  const isMainScreen = status === 'signed-in' || status === 'waiting'
  return isMainScreen ? get(isEverythingReadAtom) : status !== 'checking'
})

/** Loads the code of the next screens and the app for offline use once the first screen is complete, so they don't delay it. */
export function loadLater(store: ReturnType<typeof createStore>): void {
  const stop = store.sub(isFirstScreenCompleteAtom, () => {
    if (!store.get(isFirstScreenCompleteAtom)) return
    stop()
    whenIdle(() => void load())
  })
}

async function load() {
  if (mayPreload()) await preload()
  // The development server serves unbundled files that must not be cached.
  if (import.meta.env.PROD) registerServiceWorker()
}

async function preload() {
  try {
    await Promise.all([
      import('./MainScreen.tsx'),
      import('./RidesTab.tsx'),
      import('../features/lifetimes/Lifetimes.tsx'),
      import('../features/spending/Spending.tsx'),
    ])
  } catch (cause) {
    console.warn('The next screens could not be loaded', cause)
  }
}

function registerServiceWorker() {
  const { serviceWorker } = navigator as Partial<Navigator>
  serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
    console.warn('Could not register the service worker', cause)
  })
}
