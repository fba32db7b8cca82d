import { AuthApiError, AuthRetryableFetchError, type Session } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'

import { reviewSession } from './session-review.ts'

type Auth = Parameters<typeof reviewSession>[0]
type Refreshed = Awaited<ReturnType<Auth['refreshSession']>>

async function review(refreshed: { session: Session | null; error: Refreshed['error'] }) {
  const signOut = vi.fn<Auth['signOut']>().mockResolvedValue({ error: null })
  const answer = { data: { session: refreshed.session, user: null }, error: refreshed.error } as Refreshed
  await reviewSession({ refreshSession: () => Promise.resolve(answer), signOut })
  return signOut.mock.calls
}

test('a refused session that can be renewed stays', async () => {
  expect(await review({ session: { access_token: 'new' } as Session, error: null })).toEqual([])
})

test.each([0, 502, 503, 504])('a refused session stays while Auth cannot be reached (%d)', async (status) => {
  expect(await review({ session: null, error: new AuthRetryableFetchError('down', status) })).toEqual([])
})

test('a refused session that cannot be renewed has ended, in this browser alone', async () => {
  const error = new AuthApiError('gone', 400, 'refresh_token_not_found')
  expect(await review({ session: null, error })).toEqual([[{ scope: 'local' }]])
})
