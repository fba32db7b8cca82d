import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'

import { isGatewayFailure, noteRetryAfter } from './errors.ts'

type Auth = Pick<SupabaseClient['auth'], 'refreshSession' | 'signOut'>

/** `unauthorized`: the data API or a function rejected the session. `unanswered`: the backend couldn't be reached. */
export type RequestOutcome = 'answered' | 'unauthorized' | 'unanswered'

/** Wraps fetch and reports the outcome of each request with its path. */
export function observedFetch(report: (outcome: RequestOutcome, path: string) => void): typeof fetch {
  return async (input, init) => {
    const url = urlOf(input)
    const { pathname } = url
    try {
      const response = await fetch(input, init)
      const { status } = response
      noteRetryAfter(response)
      const isUnauthorized = status === 401 && !pathname.startsWith('/auth/')
      const isUnanswered = isRefresh(url) ? isServerFailure(status) : isGatewayFailure(status)
      report(isUnanswered ? 'unanswered' : isUnauthorized ? 'unauthorized' : 'answered', pathname)
      return response
    } catch (cause) {
      if (!init?.signal?.aborted) report('unanswered', pathname)
      throw cause
    }
  }
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

/** Refreshes a rejected session. If Auth rejects it too, signs out in this browser; if Auth is down, keeps the session. */
export async function renewOrSignOut(auth: Auth): Promise<void> {
  const { data, error } = await auth.refreshSession()
  if (data.session || isAuthRetryableFetchError(error)) return
  await auth.signOut({ scope: 'local' })
}
