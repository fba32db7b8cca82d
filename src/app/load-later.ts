import { atom, type createStore } from 'jotai'

import { sessionStatusAtom } from '../features/session/atoms.ts'
import { mayPreload, whenIdle } from '../lib/idle.ts'
import { loadRemainingCode } from '../lib/lazy-code.ts'
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
  if (!import.meta.env.PROD || (await registerServiceWorker())) return
  // Without the service worker's cache, the tracker may be unreachable or upgraded when the code is needed.
  if (mayPreload()) await loadRemainingCode()
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

/** Returns false if the browser has no service workers, as on plain HTTP, or rejects this one. */
async function registerServiceWorker(): Promise<boolean> {
  const { serviceWorker } = navigator as Partial<Navigator>
  try {
    await serviceWorker?.register('/sw.js', { updateViaCache: 'none' })
    return serviceWorker !== undefined
  } catch (cause) {
    console.warn('Could not register the service worker', cause)
    return false
  }
}
