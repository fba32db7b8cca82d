import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'

import { isGatewayFailure, noteRetryAfter } from './errors.ts'
import { fetchFirst } from './first-reads.ts'

type Auth = Pick<SupabaseClient['auth'], 'getSession' | 'refreshSession' | 'signOut'>

/** `unanswered`: the backend couldn't be reached. */
export type RequestOutcome = 'answered' | 'unanswered'

/** Wraps fetch and reports the outcome of each request with its path. */
export function observedFetch(report: (outcome: RequestOutcome, path: string) => void): typeof fetch {
  return async (input, init) => {
    const url = urlOf(input)
    const { pathname } = url
    try {
      const response = await fetchFirst(input, init)
      const { status } = response
      noteRetryAfter(response)
      const isUnanswered = isRefresh(url) ? isServerFailure(status) : isGatewayFailure(status)
      report(isUnanswered ? 'unanswered' : 'answered', pathname)
      return response
    } catch (cause) {
      const isUnwanted = init?.signal?.aborted && !isTimeout(init.signal.reason)
      if (!isUnwanted) report('unanswered', pathname)
      throw cause
    }
  }
}

const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'

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

function urlOf(input: Parameters<typeof fetch>[0]): URL {
  return new URL(input instanceof Request ? input.url : input)
}

function isRefresh({ pathname, searchParams }: URL): boolean {
  return pathname.endsWith('/auth/v1/token') && searchParams.get('grant_type') === 'refresh_token'
}

const isServerFailure = (status: number) => status >= 500

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

/** Wraps fetch to repeat a request once if its access token was rejected and `renew` returns another one. */
export function repeatedIfRejected(
  send: typeof fetch,
  renew: (rejected: string | null) => Promise<string | null>,
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (response.status !== 401 || urlOf(input).pathname.startsWith('/auth/')) return response
    const headers = new Headers(init?.headers)
    const token = await renew(headers.get('Authorization')?.replace('Bearer ', '') ?? null)
    if (token === null) return response
    headers.set('Authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}

/**
 * Returns an access token to use instead of a rejected one, or null. If Auth rejects the session, too, signs out in this
 * browser; if Auth is down, keeps the session.
 */
export async function renewOrSignOut(auth: Auth, rejected: string | null): Promise<string | null> {
  const { data: current } = await auth.getSession()
  // Another request has renewed it.
  if (current.session && current.session.access_token !== rejected) return current.session.access_token
  const { data, error } = await auth.refreshSession()
  if (!data.session && !isAuthRetryableFetchError(error)) await auth.signOut({ scope: 'local' })
  return data.session?.access_token ?? null
}
