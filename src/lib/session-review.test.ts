import { AuthApiError, AuthRetryableFetchError, type Session } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'

import { reviewSession, watchedFetch } from './session-review.ts'

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

test.each([
  ['/rest/v1/bikes', 200, 'answered'],
  ['/rest/v1/bikes', 401, 'refused'],
  ['/functions/v1/maintenance-use', 401, 'refused'],
  ['/auth/v1/token', 401, 'answered'],
  ['/rest/v1/bikes', 503, 'unanswered'],
])('of a request to %s that is answered %d it is told that it was %s', async (path, status, fate) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status }))
  const tell = vi.fn<Parameters<typeof watchedFetch>[0]>()
  await watchedFetch(tell)(`http://backend.test${path}?a=b`)
  expect(tell.mock.calls).toEqual([[fate, path]])
})

test('a request that finds no answer is told of, one that was given up is not', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'))
  const tell = vi.fn<Parameters<typeof watchedFetch>[0]>()
  const send = (signal?: AbortSignal) =>
    watchedFetch(tell)('http://backend.test/rest/v1/bikes', { signal: signal ?? null })
  await expect(send(AbortSignal.abort())).rejects.toThrow('fetch failed')
  expect(tell).not.toHaveBeenCalled()
  await expect(send()).rejects.toThrow('fetch failed')
  expect(tell.mock.calls).toEqual([['unanswered', '/rest/v1/bikes']])
})
