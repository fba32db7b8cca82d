import { AuthApiError, AuthRetryableFetchError, type Session } from '@supabase/auth-js'
import { expect, test, vi } from 'vitest'

import { limitedSignOut, retryingRefresh, renewOrSignOut } from './auth.ts'

type Auth = Parameters<typeof renewOrSignOut>[0]
type Refreshed = Awaited<ReturnType<Auth['refreshSession']>>

async function renew(refreshed: { session: Session | null; error: Refreshed['error'] }, rejected = 'old') {
  const signOut = vi.fn<Auth['signOut']>().mockResolvedValue({ error: null })
  const current = { data: { session: { access_token: 'old' } as Session }, error: null }
  const result = { data: { session: refreshed.session, user: null }, error: refreshed.error } as Refreshed
  const getSession = () => Promise.resolve(current)
  const refreshSession = () => Promise.resolve(result)
  const token = await renewOrSignOut({ getSession, refreshSession, signOut }, rejected)
  return [token, signOut.mock.calls]
}

const GONE = new AuthApiError('gone', 400, 'refresh_token_not_found')

test('keeps a rejected session that can be refreshed', async () => {
  expect(await renew({ session: { access_token: 'new' } as Session, error: null })).toEqual(['new', []])
})

test('uses the current token if it was renewed since the request', async () => {
  expect(await renew({ session: null, error: GONE }, 'older')).toEqual(['old', []])
})

test.each([0, 502, 503, 504])('keeps a rejected session while Auth is unreachable (%d)', async (status) => {
  const error = new AuthRetryableFetchError('down', status)
  expect(await renew({ session: null, error })).toEqual([null, []])
})

test('signs out a session that cannot be refreshed, in this browser only', async () => {
  expect(await renew({ session: null, error: GONE })).toEqual([null, [[{ scope: 'local' }]]])
})

const REFRESH = '/auth/v1/token?grant_type=refresh_token'

/** Refreshes a session while the server responds with `statuses` in turn. 0 means no response. */
function refreshing(statuses: number[], path = REFRESH) {
  const waits: number[] = []
  let isWanted = true
  const send = vi.fn<typeof fetch>(() => {
    const status = statuses.shift() ?? 200
    return status === 0
      ? Promise.reject(new TypeError('fetch failed'))
      : Promise.resolve(new Response(null, { status }))
  })
  const wait = (ms: number) => Promise.resolve(void waits.push(ms))
  const refresh = retryingRefresh(send, wait, () => isWanted)
  return {
    response: refresh(`http://backend.test${path}`),
    waits,
    sent: () => send.mock.calls.length,
    signOut: () => void (isWanted = false),
  }
}

test('retries a refresh until the server accepts or rejects it', async () => {
  const { response, waits } = refreshing([0, 502, 500, 507, 0, 200])
  expect((await response).status).toBe(200)
  expect(waits).toEqual([200, 400, 600, 800, 1000])
})

test('waits at most 5 seconds between refreshes', async () => {
  const { response, waits } = refreshing(Array.from({ length: 40 }, () => 0))
  await response
  expect(Math.max(...waits)).toBe(5000)
})

test.each([[0], [503]])('stops retrying a refresh (%d) after signing out', async (status) => {
  const { response, sent, signOut } = refreshing([status])
  signOut()
  const outcome = await response.catch((cause: unknown) => cause)
  expect(outcome).toSatisfy((it) => (status === 0 ? it instanceof TypeError : it instanceof Response))
  expect(sent()).toBe(1)
})

test.each([
  [400, REFRESH],
  [503, '/rest/v1/bikes'],
  [503, '/auth/v1/token?grant_type=password'],
])('does not retry after %d from %s', async (status, path) => {
  const { response, sent } = refreshing([status], path)
  expect([(await response).status, sent()]).toEqual([status, 1])
})

test('gives up only a sign-out that isn’t answered', async () => {
  const limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const send = vi.fn<typeof fetch>().mockResolvedValue(new Response())
  const signalTo = async (path: string) => {
    await limitedSignOut(send)(`http://backend.test/auth/v1/${path}`)
    return send.mock.lastCall![1]?.signal
  }
  expect(await signalTo('logout?scope=global')).toBe(limit.signal)
  expect(await signalTo('token?grant_type=password')).toBeUndefined()
})
