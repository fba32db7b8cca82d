import { AuthApiError, AuthRetryableFetchError, type Session } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'

import { persistentRefresh, reviewSession, watchedFetch } from './session-review.ts'

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

/** Refreshes over a server that answers with the statuses, one after the other; 0 is no answer. */
function refreshing(statuses: number[], path = '/auth/v1/token?grant_type=refresh_token') {
  const waits: number[] = []
  let isWanted = true
  const send = vi.fn<typeof fetch>(() => {
    const status = statuses.shift() ?? 200
    return status === 0
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(new Response(null, { status }))
  })
  const wait = (ms: number) => Promise.resolve(void waits.push(ms))
  const refresh = persistentRefresh(send, wait, () => isWanted)
  return {
    answer: refresh(`http://backend.test${path}`),
    waits,
    sent: () => send.mock.calls.length,
    signOut: () => void (isWanted = false),
  }
}

test('a refresh is sent again until the server decides about it', async () => {
  const { answer, waits } = refreshing([0, 502, 500, 507, 0, 200])
  expect((await answer).status).toBe(200)
  expect(waits).toEqual([200, 400, 600, 800, 1000])
})

test('a refresh waits 5 seconds at most before it is sent again', async () => {
  const { answer, waits } = refreshing(Array.from({ length: 40 }, () => 0))
  await answer
  expect(Math.max(...waits)).toBe(5000)
})

test('a refused refresh is not sent again', async () => {
  const { answer, sent } = refreshing([400])
  expect([(await answer).status, sent()]).toEqual([400, 1])
})

test.each([[0], [503]])('a refresh (%d) ends when its session is signed out', async (status) => {
  const { answer, sent, signOut } = refreshing([status])
  signOut()
  const outcome = await answer.catch((cause: unknown) => cause)
  expect(outcome).toSatisfy((it) => (status === 0 ? it instanceof TypeError : it instanceof Response))
  expect(sent()).toBe(1)
})

test.each(['/rest/v1/bikes', '/auth/v1/token?grant_type=password'])(
  'a request to %s is sent once',
  async (path) => {
    const { answer, sent } = refreshing([503], path)
    expect([(await answer).status, sent()]).toEqual([503, 1])
  },
)

test.each([
  ['/auth/v1/token?grant_type=refresh_token', 507, 'unanswered'],
  ['/auth/v1/token?grant_type=password', 507, 'answered'],
  ['/rest/v1/bikes', 200, 'answered'],
  ['/rest/v1/bikes', 401, 'refused'],
  ['/functions/v1/maintenance-use', 401, 'refused'],
  ['/auth/v1/token', 401, 'answered'],
  ['/rest/v1/bikes', 503, 'unanswered'],
])('of a request to %s that is answered %d it is told that it was %s', async (path, status, fate) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status }))
  const tell = vi.fn<Parameters<typeof watchedFetch>[0]>()
  await watchedFetch(tell)(new URL(path, 'http://backend.test'))
  expect(tell.mock.calls).toEqual([[fate, path.split('?')[0]]])
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
