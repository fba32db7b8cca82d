import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'

import { isGatewayFailure } from './errors.ts'
import { noteRetryAfter } from './retry-after.ts'

type Auth = Pick<SupabaseClient['auth'], 'refreshSession' | 'signOut'>

/** What became of a request: taken or not as that of a session (401), or nobody answered. */
export type Fate = 'answered' | 'refused' | 'unanswered'

/** A fetch that tells what became of each request to Auth, the data API or a function, by its path. */
export function watchedFetch(tell: (fate: Fate, path: string) => void): typeof fetch {
  return async (input, init) => {
    const url = urlOf(input)
    const { pathname } = url
    try {
      const answer = await fetch(input, init)
      const { status } = answer
      noteRetryAfter(answer)
      const isRefused = status === 401 && !pathname.startsWith('/auth/')
      const isUnanswered = isRefresh(url) ? isServerFailure(status) : isGatewayFailure(status)
      tell(isUnanswered ? 'unanswered' : isRefused ? 'refused' : 'answered', pathname)
      return answer
    } catch (cause) {
      if (!init?.signal?.aborted) tell('unanswered', pathname)
      throw cause
    }
  }
}

const BACK_OFF_MS = 200
const LONGEST_WAIT_MS = 5000

/**
 * Sends a refresh of the session until the server decides about it, for as long as `isWanted`. Auth itself would give up
 * after half a minute and then repeat that failure for another minute without asking, although the server is back.
 */
export function persistentRefresh(
  send: typeof fetch,
  wait: (ms: number) => Promise<void>,
  isWanted: () => boolean,
): typeof fetch {
  return async (input, init) => {
    if (!isRefresh(urlOf(input))) return send(input, init)
    for (let failures = 1; ; failures += 1) {
      const outcome = await send(input, init).catch((cause: unknown) => ({ cause }))
      const isDecided = outcome instanceof Response && !isServerFailure(outcome.status)
      if (!isDecided) await wait(Math.min(failures * BACK_OFF_MS, LONGEST_WAIT_MS))
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

function isServerFailure(status: number): boolean {
  return status >= 500
}

/**
 * What becomes of a session that was refused: it is renewed, or kept as long as Auth cannot be reached, or else it has
 * ended, here alone, and the owner is asked to sign in again.
 */
export async function reviewSession(auth: Auth): Promise<void> {
  const { data, error } = await auth.refreshSession()
  if (data.session || isAuthRetryableFetchError(error)) return
  await auth.signOut({ scope: 'local' })
}
