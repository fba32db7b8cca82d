import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'

type Auth = Pick<SupabaseClient['auth'], 'refreshSession' | 'signOut'>

/** A fetch that calls `onRefused` when the data API or a function no longer takes the session (401). */
export function watchedFetch(onRefused: () => void): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init)
    const isAuth = new URL(answer.url).pathname.startsWith('/auth/')
    if (answer.status === 401 && !isAuth) onRefused()
    return answer
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
