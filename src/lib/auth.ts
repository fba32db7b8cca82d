// Auth's code loads when it is first needed or after the first screen, which needs only the stored session.
import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js'

import { isRefresh, isServerFailure, urlOf } from './auth-fetch.ts'
import type { Auth } from './backend.ts'
import type { Config } from './config.ts'
import { sessionKey, storedUser } from './stored-session.ts'

/** Creates the client of Auth, which stores the session in this browser and refreshes it. */
export function createAuth(config: Config, send: typeof fetch, wait: (ms: number) => Promise<void>): Auth {
  const { publishableKey: apikey, supabaseUrl } = config
  return new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey, Authorization: `Bearer ${apikey}` },
    storageKey: sessionKey(config),
    flowType: 'implicit',
    fetch: locallyTimed(retryingRefresh(limitedSignOut(send), wait, () => storedUser(config) !== null)),
  })
}

/** How long a sign-out waits for the server before it only ends the session in this browser. */
const SIGN_OUT_MS = 8000

/** Wraps fetch to give up a sign-out that isn't answered, because the owner may close the tab. */
export function limitedSignOut(send: typeof fetch): typeof fetch {
  return (input, init) =>
    urlOf(input).pathname.endsWith('/auth/v1/logout')
      ? send(input, { ...init, signal: AbortSignal.timeout(SIGN_OUT_MS) })
      : send(input, init)
}

const BACK_OFF_MS = 200
const MAX_WAIT_MS = 5000

/**
 * Wraps fetch to retry session refreshes until the server accepts or rejects them or `isWanted` returns false. Auth
 * gives up after 30 seconds and then keeps failing for another minute, even if the server is back.
 */
export function retryingRefresh(
  send: typeof fetch,
  wait: (ms: number) => Promise<void>,
  isWanted: () => boolean,
): typeof fetch {
  return async (input, init) => {
    if (!isRefresh(urlOf(input))) return send(input, init)
    for (let failures = 1; ; failures += 1) {
      const outcome = await send(input, init).catch((cause: unknown) => ({ cause }))
      const isDecided = outcome instanceof Response && !isServerFailure(outcome.status)
      if (!isDecided) await wait(Math.min(failures * BACK_OFF_MS, MAX_WAIT_MS))
      if (isDecided || !isWanted()) {
        if (outcome instanceof Response) return outcome
        throw outcome.cause
      }
    }
  }
}

/**
 * Wraps fetch to compute when a new session expires with this device's clock. Auth compares the server's `expires_at` with
 * it, so a wrong clock would refresh before every request, or too late.
 */
export function locallyTimed(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (!response.ok || !/\/auth\/v1\/.*(token|verify)$/.test(urlOf(input).pathname)) return response
    const session = (await response.json()) as { expires_in?: number }
    // The first confirmation of a new email address has no session.
    if (session.expires_in)
      Object.assign(session, { expires_at: Math.round(Date.now() / 1000) + session.expires_in })
    return Response.json(session, { status: response.status })
  }
}

/**
 * Returns an access token to use instead of a rejected one, or null. If Auth rejects the session, too, signs out in this
 * browser; if Auth is down, keeps the session.
 */
export async function renewOrSignOut(
  auth: Pick<Auth, 'getSession' | 'refreshSession' | 'signOut'>,
  rejected: string | null,
): Promise<string | null> {
  const { data: current } = await auth.getSession()
  // Another request has renewed it.
  if (current.session && current.session.access_token !== rejected) return current.session.access_token
  const { data, error } = await auth.refreshSession()
  if (!data.session && !isAuthRetryableFetchError(error)) await auth.signOut({ scope: 'local' })
  return data.session?.access_token ?? null
}
