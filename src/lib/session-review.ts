import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'

import { isGatewayFailure } from './errors.ts'

type Auth = Pick<SupabaseClient['auth'], 'refreshSession' | 'signOut'>

/** What became of a request: taken or not as that of a session (401), or nobody answered. */
export type Fate = 'answered' | 'refused' | 'unanswered'

/** A fetch that tells what became of each request to Auth, the data API or a function, by its path. */
export function watchedFetch(tell: (fate: Fate, path: string) => void): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    try {
      const answer = await fetch(input, init)
      const isRefused = answer.status === 401 && !pathname.startsWith('/auth/')
      tell(isGatewayFailure(answer.status) ? 'unanswered' : isRefused ? 'refused' : 'answered', pathname)
      return answer
    } catch (cause) {
      if (!init?.signal?.aborted) tell('unanswered', pathname)
      throw cause
    }
  }
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
