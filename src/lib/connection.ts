import { atom } from 'jotai'

import { backendAtom } from './backend.ts'
import type { Config } from './config.ts'
import { isGatewayFailure } from './errors.ts'

const CHECK_MS = 5000
const TIMEOUT_MS = 8000

const reachableBase = atom(true)
const checkingBase = atom(false)

const TRY_AGAIN = 'tracker:try-again'
const WAKE_EVENTS = ['online', 'focus', TRY_AGAIN]

/** Ends every wait for the backend, so requests are retried immediately. */
export function tryAgain(): void {
  window.dispatchEvent(new Event(TRY_AGAIN))
}

/** Calls `listener` when the owner tries again, the browser comes online, the window gains focus or an outage ends. */
export function onWake(listener: () => void): () => void {
  for (const event of WAKE_EVENTS) window.addEventListener(event, listener)
  return () => {
    for (const event of WAKE_EVENTS) window.removeEventListener(event, listener)
  }
}

/** Resolves after `ms`, or earlier when the owner tries again, the browser comes online or the window gains focus. */
export function waitToTryAgain(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stop = onWake(done)
  })
}

/** Loads code that is needed sooner or later: tries again until it is there. */
export async function loadUntilThere<T>(load: () => Promise<T>, onFailure?: () => void): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (cause) {
      console.warn('Code could not be loaded', cause)
      onFailure?.()
      await waitToTryAgain(CHECK_MS)
    }
  }
}

/** Whether the stored session must be refreshed before anything can be read. */
export const isSessionPendingAtom = atom(false)

/** Whether the backend can't be read. Every resource is read again when this becomes false. */
export const isOfflineAtom = atom((get) => !get(reachableBase) || get(isSessionPendingAtom))

export const markReachableAtom = atom(null, (get, set) => {
  if (!get(reachableBase)) set(reachableBase, true)
})

/** Checks whether the backend is down, since one failed request proves nothing. Repeats until it answers. */
export const checkConnectionAtom = atom(null, async (get, set) => {
  if (get(checkingBase)) return
  set(checkingBase, true)
  set(reachableBase, await isHealthy(get(backendAtom).config))
  const wasDown = !get(reachableBase)
  while (!get(reachableBase)) {
    await waitToTryAgain(CHECK_MS)
    if (!get(reachableBase)) set(reachableBase, await isHealthy(get(backendAtom).config))
  }
  set(checkingBase, false)
  if (wasDown) tryAgain()
})

/** Resolves to whether the backend answers. */
export async function isHealthy({ supabaseUrl, publishableKey }: Config): Promise<boolean> {
  try {
    const { status } = await fetch(new URL('/auth/v1/health', supabaseUrl), {
      headers: { apikey: publishableKey },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return !isGatewayFailure(status)
  } catch {
    return false
  }
}
