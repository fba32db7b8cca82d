// @vitest-environment jsdom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { createBackend } from './backend.ts'

const HOUR_MS = 3_600_000

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

/** Signs in to a server whose access tokens are valid for an hour, on a device whose clock is off by `errorMs`. */
async function signIn({ errorMs = 0, canRefresh = true } = {}) {
  let [error, tokens, expiresAt] = [errorMs, 0, 0]
  const serverNow = () => Date.now() - error
  const sent: [path: string, body: unknown, status: number][] = []
  const authorize = () => {
    expiresAt = serverNow() + HOUR_MS
    tokens += 1
    return Response.json({
      access_token: `token-${tokens}`,
      refresh_token: `refresh-${tokens}`,
      token_type: 'bearer',
      expires_in: HOUR_MS / 1000,
      expires_at: expiresAt / 1000,
      user: { id: 'ann' },
    })
  }
  const respond = (url: URL, init: RequestInit) => {
    if (url.search === '?grant_type=refresh_token' && !canRefresh)
      return Response.json({ error_code: 'refresh_token_not_found', msg: 'Unknown' }, { status: 400 })
    if (url.pathname.startsWith('/auth/')) return authorize()
    const token = new Headers(init.headers).get('Authorization')
    const isValid = token === `Bearer token-${tokens}` && serverNow() < expiresAt
    return isValid ? Response.json([]) : Response.json({ code: 'PGRST303' }, { status: 401 })
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
    const url = new URL(input as string)
    const response = respond(url, init)
    const name = url.searchParams.get('grant_type') ?? url.pathname.split('/').at(-1)!
    sent.push([name, init.body ?? null, response.status])
    return Promise.resolve(response)
  })
  // supabase-js warns when two clients share a storage key, which it derives from the host.
  const supabaseUrl = `http://${crypto.randomUUID()}.test`
  const config = { supabaseUrl, publishableKey: 'key', rwgpsUrl: 'http://rwgps.test', sample: true }
  const onSession = vi.fn<(event: string) => void>()
  const { client, auth: loadAuth } = createBackend(config, {
    onRequest: () => undefined,
    onSession,
    wait: () => Promise.resolve(),
  })
  const auth = await loadAuth()
  onTestFinished(() => auth.stopAutoRefresh())
  await auth.signInWithPassword({ email: 'ann@example.com', password: 'password' })
  sent.length = 0
  return {
    client,
    auth,
    onSession,
    sent,
    /** The time passes for the server, too. */
    pass: (ms: number) => vi.setSystemTime(Date.now() + ms),
    /** Only the device's clock changes. */
    setClock: (ms: number) => {
      vi.setSystemTime(serverNow() + ms)
      error = ms
    },
  }
}

test.each([-25, -1, 0, 1, 25])('refreshes once an hour with a clock off by %d hours', async (hours) => {
  const { client, sent, pass } = await signIn({ errorMs: hours * HOUR_MS })
  for (let reads = 0; reads < 3; reads += 1) await client.from('bikes').select()
  expect(sent.map(([path]) => path)).toEqual(['bikes', 'bikes', 'bikes'])
  pass(HOUR_MS)
  sent.length = 0
  await client.from('bikes').select()
  expect(sent.map(([path]) => path)).toEqual(['refresh_token', 'bikes'])
})

test('repeats rejected requests once, with the token of one refresh', async () => {
  const { client, sent, pass, setClock } = await signIn()
  pass(HOUR_MS)
  setClock(-HOUR_MS)
  const body = { gear_id: 7 }
  const results = await Promise.all([
    client.from('bikes').select(),
    client.rpc('garage' as never, body as never),
  ])
  expect(results.map(({ status }) => status)).toEqual([200, 200])
  const text = JSON.stringify(body)
  expect(sent.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['bikes', null, 200],
    ['bikes', null, 401],
    ['garage', text, 200],
    ['garage', text, 401],
    ['refresh_token', expect.any(String), 200],
  ])
})

test('reports the rejection and signs out if the session has ended', async () => {
  const { client, auth, onSession, sent, pass, setClock } = await signIn({ canRefresh: false })
  pass(HOUR_MS)
  setClock(-HOUR_MS)
  expect((await client.from('bikes').select()).status).toBe(401)
  expect(sent.filter(([path]) => path === 'bikes')).toHaveLength(1)
  expect((await auth.getSession()).data.session).toBeNull()
  expect(onSession.mock.calls.map(([event]) => event)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT'])
})
