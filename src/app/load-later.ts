import { atom, type createStore } from 'jotai'

import { connectAuthAtom, sessionStatusAtom } from '../features/session/atoms.ts'
import { keepFirstReads } from '../lib/first-reads.ts'
import { mayPreload, whenIdle } from '../lib/idle.ts'
import { loadRemainingCode } from '../lib/lazy-code.ts'
import { isEverythingReadAtom } from '../lib/resource.ts'
import { becomes, isMainScreenAtom } from './first-screen.ts'

type Store = ReturnType<typeof createStore>

const isMainScreenCompleteAtom = atom((get) => get(isMainScreenAtom) && get(isEverythingReadAtom))

const isFirstScreenCompleteAtom = atom((get) =>
  get(isMainScreenAtom) ? get(isEverythingReadAtom) : get(sessionStatusAtom) !== 'checking',
)

/**
 * Loads Auth, the code of the next screens and the app for offline use once the first screen is complete, so they don't delay it,
 * and then, with a service worker, the logs of all bikes.
 */
export function loadLater(store: Store): void {
  void becomes(store, isFirstScreenCompleteAtom).then(() =>
    whenIdle(async () => {
      await store.set(connectAuthAtom)
      await load()
    }),
  )
  void becomes(store, isMainScreenCompleteAtom).then(() =>
    whenIdle(() => {
      keepFirstReads()
      void loadLogs(store)
    }),
  )
}

async function load() {
  if (mayPreload()) await preload()
  // The development server serves unbundled files that must not be cached.
  if (!import.meta.env.PROD || (await registerServiceWorker())) return
  // Without the service worker's cache, the tracker may be unreachable or upgraded when the code is needed.
  if (mayPreload()) await loadRemainingCode()
}

async function loadLogs(store: Store) {
  if (!mayPreload() || !('serviceWorker' in navigator)) return
  // Not before the app itself is cached.
  await navigator.serviceWorker.ready
  await store.set((await import('./load-logs.ts')).loadLogsAtom)
}

async function preload() {
  try {
    const { loadNextScreens } = await import('./MainScreen.tsx')
    await loadNextScreens()
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
