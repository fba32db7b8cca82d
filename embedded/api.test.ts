import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { claimsOf, signToken } from '../tests/tokens.ts'
import { openMigrated, weakenPassword } from '../tests/postgres.ts'
import { createApi } from './api.ts'
import type { Database } from './database.ts'
import { ensureOwner } from './owner.ts'
import { createSecrets } from './secrets.ts'

const secrets = createSecrets()
let database: Database
let api: ReturnType<typeof createApi>

beforeAll(async () => {
  database = await openMigrated()
  api = createApi(database, secrets)
  await ensureOwner(database, secrets, { ownerEmail: 'owner@example.com', ownerPassword: 'password' })
  await weakenPassword(database.sql, 'password')
  await database.sql`insert into public.bikes values (1, 'Road')`
})
afterAll(() => database.close())

async function request(path: string, headers: Record<string, string>, body?: unknown) {
  const get = new Request(`http://127.0.0.1${path}`, { headers })
  const response = await api.fetch(body === undefined ? get : post(path, headers, body))
  return { status: response.status, body: await response.json().catch(() => null) }
}

const anonymous = { apikey: secrets.publishableKey }
const secret = { apikey: secrets.secretKey }

const post = (path: string, headers: Record<string, string>, body: unknown) =>
  new Request(`http://127.0.0.1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function signIn() {
  const { body } = await request('/auth/v1/token?grant_type=password', anonymous, {
    email: 'owner@example.com',
    password: 'password',
  })
  return { ...anonymous, authorization: `Bearer ${body.access_token}` }
}

test('a sign-out ends the access tokens of its sessions at once', async () => {
  const [here, there, other] = [await signIn(), await signIn(), await signIn()]
  const statuses = async () => {
    const requests = [here, there, other].map((headers) => request('/rest/v1/bikes', headers))
    return (await Promise.all(requests)).map(({ status }) => status)
  }
  const signOut = (scope: string, headers: Record<string, string>) =>
    request(`/auth/v1/logout?scope=${scope}`, headers, {})
  expect(await statuses()).toEqual([200, 200, 200])
  await signOut('local', other)
  expect(await statuses()).toEqual([200, 200, 401])
  await signOut('others', here)
  expect(await statuses()).toEqual([200, 401, 401])
  await signOut('global', here)
  expect(await statuses()).toEqual([401, 401, 401])
  expect((await request('/rest/v1/bikes', await signIn())).status).toBe(200)
})

test('one-time passwords never create an account, before or after the owner exists', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const routes = ['otp', 'magiclink', 'signup', 'recover', 'otp/', '%6ftp']
  const thief = { email: 'thief@example.com', password: 'password', create_user: true }
  for (const route of routes) await request(`/auth/v1/${route}`, anonymous, thief)

  const empty = await openMigrated()
  const withoutOwner = createApi(empty, secrets)
  for (const route of routes) {
    const body = JSON.stringify(thief)
    const headers = { ...anonymous, 'content-type': 'application/json' }
    const request = new Request(`http://127.0.0.1/auth/v1/${route}`, { method: 'POST', headers, body })
    expect((await withoutOwner.fetch(request)).status).toBe(503)
  }
  vi.restoreAllMocks()
  expect(await empty.sql`select email from auth.users`).toEqual([])
  await empty.close()
  expect(await database.sql`select email from auth.users`).toEqual([{ email: 'owner@example.com' }])
})

test('email codes are too long to guess', async () => {
  // Earlier tests used up this caller's email limit.
  api = createApi(database, secrets)
  const printed: string[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void printed.push(parts.join(' ')))
  }
  const codes = () => printed.join('\n').match(/(?<=code\D*)\b\d+\b/g) ?? []
  for (const [index, route] of ['recover', 'otp', 'magiclink'].entries()) {
    await database.sql`update auth.users set recovery_token = null`
    await request(`/auth/v1/${route}`, anonymous, { email: 'owner@example.com', create_user: false })
    await expect.poll(() => codes()).toHaveLength(index + 1)
  }
  vi.restoreAllMocks()
  expect(codes().map((code) => code.length)).toEqual([32, 32, 32])
})

test('does not log the values of a failed statement', async () => {
  const printed: string[] = []
  vi.spyOn(console, 'error').mockImplementation((...parts) => void printed.push(JSON.stringify(parts)))
  await request('/rest/v1/maintenance', await signIn(), {
    bikeId: 404,
    name: 'a secret part',
  })
  vi.restoreAllMocks()
  expect(printed.join()).toContain('maintenance_bikeId_fkey')
  expect(printed.join()).not.toContain('a secret part')
})

test('rejects an oversized body without reading all of it', async () => {
  let megabytes = 0
  const body = new ReadableStream({
    pull(stream) {
      if (megabytes++ < 500) stream.enqueue(new Uint8Array(2 ** 20))
      else stream.close()
    },
  })
  const long = { method: 'POST', headers: anonymous, body, duplex: 'half' } as RequestInit
  const response = await api.fetch(new Request('http://127.0.0.1/auth/v1/token?grant_type=password', long))
  expect(await response.json()).toEqual({
    code: 413,
    error_code: 'too_large',
    msg: 'The request body is too large.',
  })
  expect(megabytes).toBeLessThan(50)
})

/** Sends more requests than there are sessions, then checks that each session still works. */
async function sendMany(path: string, headers: Record<string, string>, body: string) {
  const send = async () => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const response = await api.fetch(new Request(`http://127.0.0.1${path}`, init))
    return { status: response.status, body: await response.json() }
  }
  const answers = await Promise.all(Array.from({ length: 6 }, send))
  const reads = Array.from({ length: 6 }, () => request('/rest/v1/bikes', headers))
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
  return answers
}

const SEVEN_VALUES = { bikeId: 1, type: 1, name: 1, description: 1, cost: 1, dateStarted: 1, dateEnded: 1 }

describe('still has every session', () => {
  test('after rows with more values than PostgreSQL accepts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const body = JSON.stringify(Array.from({ length: 10_000 }, () => SEVEN_VALUES))
    for (const answer of await sendMany('/rest/v1/maintenance', await signIn(), body)) {
      expect(answer).toEqual({
        status: 413,
        body: {
          code: 'too_large',
          message: 'The request has more than 65533 values.',
          details: null,
          hint: null,
        },
      })
    }
    vi.restoreAllMocks()
  })

  test.each([
    ['the data API', '/rest/v1/bikes', 'public.bikes', { code: 'PGRST001', details: null, hint: null }],
    ['Auth', '/auth/v1/user', 'auth.users', { code: 503, error_code: 'unexpected_failure' }],
  ])('when connections of %s break', async (_, path, table, body) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const headers = await signIn()
    const { sql } = database
    await sql.begin(async (blocking) => {
      await blocking.unsafe(`lock table ${table} in access exclusive mode`)
      const answers = Array.from({ length: 4 }, () => request(path, headers))
      const isBlocked = sql`pid in (select pid from pg_locks where not granted)`
      const blocked = () =>
        sql`select from pg_stat_activity where datname = current_database() and ${isBlocked}`
      await expect.poll(blocked).toHaveLength(4)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${isBlocked}`
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 503, body })
    })
    const again = await Promise.all(Array.from({ length: 6 }, () => request(path, headers)))
    for (const { status } of again) expect(status).toBe(200)
    vi.restoreAllMocks()
  })
})

describe('the data API', () => {
  test('runs each of hundreds of simultaneous requests in its own role', async () => {
    const actors = { owner: await signIn(), anon: anonymous, 'secret key': secret }
    // Use a new instance, so the first requests also load the schema.
    const cold = createApi(database, secrets)
    const requests = Array.from({ length: 270 }, async (_, index) => {
      const [actor, headers] = Object.entries(actors)[index % 3]!
      const kind = ['bikes', 'maintenance', 'insert'][Math.floor(index / 3) % 3]!
      const { status } = await cold.fetch(
        kind === 'insert'
          ? post('/rest/v1/maintenance', headers, { bikeId: 1, name: `by ${actor}` })
          : new Request(`http://127.0.0.1/rest/v1/${kind}?select=*&limit=1`, { headers }),
      )
      return `${actor}, ${kind}: ${status}`
    })
    expect([...new Set(await Promise.all(requests))].toSorted()).toEqual([
      'anon, bikes: 401',
      'anon, insert: 401',
      'anon, maintenance: 401',
      'owner, bikes: 200',
      'owner, insert: 201',
      'owner, maintenance: 200',
      'secret key, bikes: 200',
      'secret key, insert: 403',
      'secret key, maintenance: 403',
    ])
    const rows = await database.sql`select name, count(*)::integer from public.maintenance group by name`
    expect(rows).toEqual([{ name: 'by owner', count: 30 }])
    await database.sql`delete from public.maintenance`
  })

  test.each([
    ['nobody', 403],
    ['postgres', 403],
    ['pg_read_all_data', 403],
    ['a"b', 403],
    [['postgres'], 403],
    [{ role: 'postgres' }, 403],
    [7, 403],
    ['', 401],
    [undefined, 401],
  ])('runs nothing with the role %j', async (role, expected) => {
    const { authorization } = await signIn()
    const claims = { ...claimsOf(authorization.slice('Bearer '.length)), role }
    const headers = { ...anonymous, authorization: `Bearer ${signToken(claims, secrets.jwtSecret)}` }
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await request('/rest/v1/maintenance', headers, {
        bikeId: 1,
        name: 'by nobody',
      })
      expect([status, body.code]).toEqual([expected, '42501'])
    }
    expect(await database.sql`select from public.maintenance`).toHaveLength(0)
  })

  test.each([
    ['PATCH', 'service_tasks?id=eq.1', { snoozed_until: 5 }, 'snoozed_until'],
    ['PATCH', 'service_tasks?id=eq.1', { snoozed_until: {} }, 'snoozed_until'],
    ['PATCH', 'maintenance?id=eq.1', { cost: 1, dateStarted: 5 }, 'dateStarted'],
    ['PATCH', 'maintenance?id=eq.x', { cost: 1 }, 'id'],
    ['POST', 'maintenance', { bikeId: 1, name: 'Chain', dateStarted: 5 }, 'dateStarted'],
    [
      'POST',
      'maintenance',
      [
        { bikeId: 1, name: 'Chain' },
        { bikeId: 'x', name: 'Chain' },
      ],
      'bikeId',
    ],
    ['POST', 'rpc/service_history', { part_id: 'x' }, 'part_id'],
  ])('%s %s with %j names the column that it cannot read', async (method, path, body, column) => {
    const headers = { 'content-type': 'application/json', ...(await signIn()) }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await api.fetch(new Request(`http://127.0.0.1/rest/v1/${path}`, init))
    const { message } = await response.json()
    expect([response.status, message]).toEqual([
      400,
      expect.stringMatching(`^${column}: invalid input syntax for type `),
    ])
  })

  test.each(['DELETE', 'PATCH'])('refuses a %s without a filter', async (method) => {
    await database.sql`insert into public.maintenance ("bikeId", name) values (1, 'Kept')`
    const headers = { 'content-type': 'application/json', ...(await signIn()) }
    const body = method === 'PATCH' ? '{"name":"changed"}' : null
    for (const query of ['', '?limit=1', '?select=id,bikes!inner(name)&bikes.name=eq.Road']) {
      const path = `http://127.0.0.1/rest/v1/maintenance${query}`
      const response = await api.fetch(new Request(path, { method, headers, body }))
      expect([response.status, (await response.json()).code]).toEqual([400, '21000'])
    }
    expect(await database.sql`select name from public.maintenance`).toEqual([{ name: 'Kept' }])
    await database.sql`delete from public.maintenance`
  })

  test('undoes a refused write, which ran with the rights of the caller', async () => {
    await database.sql`insert into public.maintenance ("bikeId", name) values (1, 'A'), (1, 'B')`
    const headers = { ...(await signIn()), accept: 'application/vnd.pgrst.object+json' }
    const change = (path: string) =>
      api.fetch(new Request(post(path, headers, { name: 'changed' }), { method: 'PATCH' }))
    expect((await change('/rest/v1/maintenance?id=gt.0')).status).toBe(406)
    expect(await database.sql`select name from public.maintenance order by id`).toEqual([
      { name: 'A' },
      { name: 'B' },
    ])
    await database.sql`delete from public.maintenance`
  })

  test('answers the preflight requests of pages on another origin', async () => {
    const preflight = new Request('http://127.0.0.1/rest/v1/bikes', {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:1', 'access-control-request-method': 'GET' },
    })
    expect((await api.fetch(preflight)).ok).toBe(true)
  })

  test('rejects queries that would block the stack', async () => {
    const { status, body } = await request(
      '/rest/v1/maintenance?select=bikes(maintenance(*))',
      await signIn(),
    )
    expect([status, body.code]).toEqual([400, 'PGRST100'])
  })

  test('has the same statement timeout as hosted Supabase', async () => {
    const [row] = await database.connection.run('show statement_timeout')
    expect(row).toEqual({ statement_timeout: '8s' })
  })

  test('grants anonymous users nothing beyond the migrations', async () => {
    const grants = await database.sql`
      select relname, grantee::regrole::text, privilege_type from pg_class, aclexplode(relacl)
       where relnamespace = 'public'::regnamespace and grantee = 'anon'::regrole`
    expect(grants).toEqual([])
  })

  test('returns a numeric with trailing zeros as a number', async () => {
    await database.sql`
      insert into public.maintenance ("bikeId", name, cost, "dateStarted") values (1, 'Chain', 45, '2024-01-01 01:00:00')`
    const { body } = await request('/rest/v1/maintenance?select=cost,dateStarted', await signIn())
    expect(body).toEqual([{ cost: 45, dateStarted: '2024-01-01T01:00:00' }])
  })
})
