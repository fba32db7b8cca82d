import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMigrated, weakenPassword } from '../tests/postgres.ts'
import { createApi } from './api.ts'
import { guardAuth } from './auth.ts'
import type { Database } from './database.ts'
import { ensureOwner } from './owner.ts'
import { createSecrets } from './secrets.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'correct horse'
const secrets = createSecrets()
let database: Database
let api: ReturnType<typeof createApi>
let now: number

beforeAll(async () => {
  database = await openMigrated()
  await ensureOwner(database, secrets, { ownerEmail: EMAIL, ownerPassword: PASSWORD })
  await weakenPassword(database.sql, PASSWORD)
})
afterAll(() => database.close())
beforeEach(() => {
  now = 0
  api = createApi(database, secrets, { now: () => now })
})

interface Call {
  method?: string
  address?: string
  headers?: Record<string, string>
}

async function call(
  path: string,
  body: unknown,
  { method = 'POST', address = '192.0.2.1', headers }: Call = {},
) {
  const request = new Request(`http://127.0.0.1/auth/v1/${path}`, {
    method,
    headers: { apikey: secrets.publishableKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const response = await api.fetch(request, { address })
  const names = [...response.headers.keys()].toSorted()
  return {
    status: response.status,
    names,
    body: await response.json(),
    retryAfter: response.headers.get('retry-after'),
  }
}

const signIn = (password: unknown = 'wrong', { email = EMAIL, address = '192.0.2.1' } = {}) =>
  call('token?grant_type=password', { email, password }, { address })

async function guess(times: number, address?: string) {
  const statuses: number[] = []
  for (let guesses = 0; guesses < times; guesses++)
    statuses.push((await signIn('wrong', address === undefined ? {} : { address })).status)
  return statuses
}

describe('after five wrong passwords', () => {
  test('the next attempt has to wait, longer after each failure', async () => {
    expect(await guess(5)).toEqual([400, 400, 400, 400, 400])
    expect(await signIn()).toMatchObject({
      status: 429,
      retryAfter: '1',
      body: { code: 429, error_code: 'over_request_rate_limit' },
    })
    now += 1
    expect(await guess(2)).toEqual([400, 429])
    expect((await signIn()).retryAfter).toBe('2')
  })

  test('the right password also has to wait, then ends the waits', async () => {
    await guess(5)
    expect((await signIn(PASSWORD)).status).toBe(429)
    now += 1
    expect((await signIn(PASSWORD)).status).toBe(200)
    expect(await guess(5)).toEqual([400, 400, 400, 400, 400])
  })

  test('counts simultaneous attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => signIn()))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(55)
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', 429],
    ['2001:db8::1', '2001:db8:0:0:8::', 429],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 400],
    ['::ffff:192.0.2.1', '192.0.2.1', 429],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', 400],
    ['127.0.0.2', '127.255.255.254', 429],
    ['127.0.0.2', '127.0.0.1', 400],
    ['::1', '127.0.0.1', 429],
    ['127.0.0.1', '::1', 429],
  ])('from %s, %s gets %d', async (first, second, status) => {
    await guess(5, first)
    expect(await guess(1, second)).toEqual([status])
  })

  test('a session can still be refreshed', async () => {
    const { body } = await signIn(PASSWORD)
    await guess(6)
    const refreshed = await call('token?grant_type=refresh_token', { refresh_token: body.refresh_token })
    expect(refreshed.status).toBe(200)
  })

  test.each([
    'token?grant_type=refresh_token&grant_type=password',
    'token?grant_type=password&grant_type=refresh_token',
    'token?grant%5Ftype=password',
    'token/?grant_type=password',
    't%6fken?grant_type=password',
    '/token?grant_type=password',
  ])('%s does not bypass the wait', async (path) => {
    await guess(5)
    expect((await call(path, { email: EMAIL, password: PASSWORD })).status).toBeGreaterThanOrEqual(400)
  })
})

const stranger = (number: number) => `2001:db8:0:${number}::1`

async function guessFrom(count: number) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, number) => signIn('wrong', { address: stranger(number) })),
  )
  return answers.filter(({ status }) => status === 400).length
}

describe('of all strangers', () => {
  const MACHINE = '127.0.0.1'
  const PHONE = '198.51.100.9'

  test('30 guesses a minute are checked, and a new network is told how long to wait', async () => {
    expect(await guessFrom(20)).toBe(20)
    now += 40
    expect(await guessFrom(150)).toBe(10)
    expect(await signIn(PASSWORD, { address: PHONE })).toMatchObject({ status: 429, retryAfter: '20' })
    now += 20
    expect((await signIn(PASSWORD, { address: PHONE })).status).toBe(200)
    expect(await guessFrom(150)).toBe(19)
  })

  test('this machine and networks that signed in before never have to wait', async () => {
    expect((await signIn(PASSWORD, { address: PHONE })).status).toBe(200)
    await guessFrom(150)
    for (const address of [MACHINE, PHONE]) expect((await signIn(PASSWORD, { address })).status).toBe(200)
  })

  test('one guess is checked at a time, but those of trusted networks at once', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let checking = 0
    const answer = guardAuth(
      async (request) => {
        if ((await request.json()).password === PASSWORD) return new Response()
        checking++
        await released
        return new Response(null, { status: 400 })
      },
      database,
      secrets,
    )
    const send = (password: string, address: string) =>
      answer({
        request: new Request('http://127.0.0.1/auth/v1/token?grant_type=password', {
          method: 'POST',
          headers: { apikey: secrets.publishableKey },
          body: JSON.stringify({ email: EMAIL, password }),
        }),
        address,
      })
    const guesses = Array.from({ length: 150 }, (_, number) => send('wrong', stranger(number)))
    await expect.poll(() => checking).toBe(1)
    expect((await send(PASSWORD, MACHINE)).status).toBe(200)
    expect(checking).toBe(1)
    release()
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(30)
  })

  test('a session can still be refreshed', async () => {
    const { body } = await signIn(PASSWORD, { address: PHONE })
    await guessFrom(150)
    const refreshed = await call(
      'token?grant_type=refresh_token',
      { refresh_token: body.refresh_token },
      { address: stranger(0) },
    )
    expect(refreshed.status).toBe(200)
  })
})

test('a recovery link works until it is used or expires, whatever strangers request', async () => {
  const printed = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const sentAt = async (age: string) =>
    database.sql`update auth.users set recovery_sent_at = now() - ${age}::interval`
  const links = () => printed.mock.calls.map((parts) => /token=([^&\s"]+)/.exec(parts.join())?.[1])
  await database.sql`update auth.users set recovery_token = null`
  await call('recover', { email: EMAIL })
  await expect.poll(() => links()).toHaveLength(1)
  for (const path of ['recover', 'otp', 'magiclink'])
    await call(path, { email: EMAIL }, { address: '192.0.2.9' })
  await sentAt('59 minutes')
  const used = await call('verify', { type: 'recovery', token_hash: links()[0] })
  expect([links().length, used.status]).toEqual([1, 200])

  await call('recover', { email: EMAIL })
  await expect.poll(() => links()).toHaveLength(2)
  await sentAt('61 minutes')
  await call('recover', { email: EMAIL })
  await expect.poll(() => links()).toHaveLength(3)
  vi.restoreAllMocks()
})

const STRANGER = 'stranger@example.com'

describe('does not reveal whether an email has an account', () => {
  test.each(['wrong', '', 7, null, ['wrong'], 'x'.repeat(100)])('by the password %j', async (password) => {
    const known = await signIn(password)
    expect(known.status).toBe(400)
    expect(await signIn(password, { email: STRANGER })).toEqual(known)
    expect(await signIn(password, { email: EMAIL.toUpperCase() })).toEqual(known)
  })

  test('by response time: an unknown email goes to the same password check', async () => {
    const bodies: { email: string; password: string }[] = []
    const answer = guardAuth(
      async (request) => {
        bodies.push(await request.json())
        return new Response(null, { status: 400 })
      },
      database,
      secrets,
    )
    for (const email of [EMAIL, STRANGER]) {
      const body = JSON.stringify({ email, password: 'wrong' })
      const request = new Request('http://127.0.0.1/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { apikey: secrets.publishableKey },
        body,
      })
      await answer({ request, address: '192.0.2.1' })
    }
    expect(bodies).toEqual([
      { email: EMAIL, password: 'wrong' },
      { email: EMAIL, password: expect.stringMatching(/^[\w-]{43}$/) },
    ])
  })

  test('by the waits of an account', async () => {
    for (const email of [EMAIL, STRANGER]) {
      now += 60
      const addresses = Array.from({ length: 30 }, (_, host) => `198.51.100.${host}`)
      for (const address of addresses) expect((await signIn('wrong', { email, address })).status).toBe(400)
      expect(await signIn('wrong', { email })).toMatchObject({ status: 429, retryAfter: '60' })
    }
  })

  test.each([
    ['otp', 1],
    ['magiclink', 1],
    ['recover', 1],
    ['resend', 0],
  ])('by %s, which also creates no account', async (path, sent) => {
    await database.sql`update auth.users set recovery_token = null`
    const printed = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const body = { type: 'email_change', create_user: true }
    const stranger = await call(path, { ...body, email: STRANGER })
    expect(stranger).toMatchObject({ status: 200, body: {} })
    expect(await call(path, { ...body, email: EMAIL })).toEqual(stranger)
    // Emails are sent after the response.
    await expect.poll(() => printed).toHaveBeenCalledTimes(sent)
    expect(printed.mock.calls.join()).not.toContain(STRANGER)
    expect(errors).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    expect(await database.sql`select email from auth.users`).toEqual([{ email: EMAIL }])
  })

  test('by how many emails can be requested', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined)
    for (const email of [EMAIL, STRANGER]) {
      const address = email
      for (let times = 0; times < 5; times++) {
        expect((await call('recover', { email }, { address })).status).toBe(200)
      }
      expect(await call('recover', { email }, { address })).toMatchObject({
        status: 429,
        body: { error_code: 'over_email_send_rate_limit' },
        retryAfter: '1',
      })
    }
    vi.restoreAllMocks()
  })
})

const refresh = (token: string) => call('token?grant_type=refresh_token', { refresh_token: token })

test('simultaneous refreshes of one token get the same new token, which works', async () => {
  const { body } = await signIn(PASSWORD)
  let token: string = body.refresh_token
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200))
    const tokens = new Set(answers.map((answer) => answer.body.refresh_token))
    expect(tokens.size).toBe(1)
    expect(tokens).not.toContain(token)
    ;[token = ''] = tokens as Set<string>
  }
  expect((await refresh(token)).status).toBe(200)
})

test.each([7, true, [], {}, ['a'], '\0', 'a\0b'])('the token %j is invalid', async (token) => {
  for (const [path, name] of [
    ['token?grant_type=refresh_token', 'refresh_token'],
    ['token?grant_type=pkce', 'auth_code'],
    ['verify', 'token'],
    ['verify', 'token_hash'],
  ] as const) {
    const body = { type: 'signup', email: EMAIL, code_verifier: 'x', [name]: token }
    expect(await call(path, body)).toMatchObject({ status: 400, body: { error_code: 'bad_json' } })
  }
})

test('a failed session refresh leaves the session unchanged', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { body } = await signIn(PASSWORD)
  const refresh = () => call('token?grant_type=refresh_token', { refresh_token: body.refresh_token })
  // Supabase Lite revokes the old token before storing the new one.
  await database.sql`alter table auth.refresh_tokens add constraint full_disk check (parent is null) not valid`
  expect((await refresh()).status).toBe(500)
  await database.sql`alter table auth.refresh_tokens drop constraint full_disk`
  expect((await refresh()).status).toBe(200)
  vi.restoreAllMocks()
})

test('the body of a request without an API key is ignored', async () => {
  const body = { type: 'signup', token_hash: [[['a']]] }
  expect(await call('verify', body, { headers: { apikey: '' } })).toMatchObject({ status: 400 })
  const token = await call('token?grant_type=refresh_token', body, { headers: { apikey: '' } })
  expect(token.status).toBe(401)
})

test('requests with a wrong API key are not counted', async () => {
  for (let times = 0; times < 6; times++) {
    const headers = { apikey: 'none' }
    const { status } = await call('token?grant_type=password', { email: EMAIL, password: 'x' }, { headers })
    expect(status).toBe(401)
  }
  expect((await signIn(PASSWORD)).status).toBe(200)
})

describe('a new password of more than 72 bytes', () => {
  const tooLong = 'é'.repeat(37)

  test('is rejected', async () => {
    const { body } = await signIn(PASSWORD)
    const headers = { authorization: `Bearer ${body.access_token}` }
    const changed = await call('user', { password: tooLong }, { method: 'PUT', headers })
    expect(changed).toMatchObject({
      status: 400,
      body: { error_code: 'validation_failed', msg: 'Password cannot be longer than 72 bytes' },
    })
    expect((await call('user', { password: 'é'.repeat(36) }, { method: 'PUT', headers })).status).toBe(200)
    expect((await signIn('é'.repeat(36))).status).toBe(200)
    expect((await call('user', { password: PASSWORD }, { method: 'PUT', headers })).status).toBe(200)
  })

  test('is rejected for a new owner without creating the account', async () => {
    const empty = await openMigrated()
    const owner = { ownerEmail: EMAIL, ownerPassword: tooLong }
    await expect(ensureOwner(empty, secrets, owner)).rejects.toThrow(
      /Password cannot be longer than 72 bytes.+ Choose another OWNER_EMAIL or OWNER_PASSWORD/,
    )
    expect(await empty.sql`select from auth.users`).toEqual([])
    await empty.close()
  })
})
