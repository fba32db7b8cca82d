import { atom } from 'jotai'

import { backendAtom } from './backend.ts'
import type { Config } from './config.ts'
import { isGatewayFailure } from './errors.ts'

const LOOK_MS = 5000
const DEADLINE_MS = 8000

const reachedBase = atom(true)
const lookingBase = atom(false)

const TRY_AGAIN = 'tracker:try-again'
const WAKING = ['online', 'focus', TRY_AGAIN]

/** Ends every wait for the backend, so that it is tried again now. */
export function tryAgain(): void {
  window.dispatchEvent(new Event(TRY_AGAIN))
}

/** Resolves after a while, or as soon as the owner asks for it, the browser comes online or the window gets the focus. */
export function waitToTryAgain(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const event of WAKING) window.removeEventListener(event, done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    for (const event of WAKING) window.addEventListener(event, done)
  })
}

/** Whether the backend answers, as far as the last request tells. */
export const isReachedAtom = atom((get) => get(reachedBase))

/** Whether the session that this browser keeps waits to be renewed: until then nothing can be read in its name. */
export const sessionWaitsAtom = atom(false)

/** Whether nothing can be read now; everything that is read is read anew when that ends. */
export const isOfflineAtom = atom((get) => !get(reachedBase) || get(sessionWaitsAtom))

/** A request was answered, whatever the answer. */
export const answeredAtom = atom(null, (get, set) => {
  if (!get(reachedBase)) set(reachedBase, true)
})

/**
 * Looks whether the backend answers at all: that one request found no answer may have other reasons. Goes on looking
 * until it does.
 */
export const lookAtom = atom(null, async (get, set) => {
  if (get(lookingBase)) return
  set(lookingBase, true)
  set(reachedBase, await answers(get(backendAtom).config))
  const wasDown = !get(reachedBase)
  while (!get(reachedBase)) {
    await waitToTryAgain(LOOK_MS)
    if (!get(reachedBase)) set(reachedBase, await answers(get(backendAtom).config))
  }
  set(lookingBase, false)
  if (wasDown) tryAgain()
})

async function answers({ supabaseUrl, publishableKey }: Config): Promise<boolean> {
  try {
    const { status } = await fetch(new URL('/auth/v1/health', supabaseUrl), {
      headers: { apikey: publishableKey },
      cache: 'no-store',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    return !isGatewayFailure(status)
  } catch {
    return false
  }
}
