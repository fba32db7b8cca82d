import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { claimsOf, invalidTokens, signToken } from '../tokens.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { DELETE_ROWS } from './databases.ts'
import { ACTORS, type Actor, readExpectations, ROWS } from './expectations.ts'
import { everything, headersOf, outcomeOf, send } from './requests.ts'

// Supabase Lite prints every statement that PostgreSQL rejects.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

const expectations = await readExpectations()
const lines = expectations.flatMap((line) => ACTORS.map((actor) => ({ ...line, actor, wanted: line[actor] })))
const WRITES = /start_ride_sync|switch_rwgps_account|run_command\b/
const allRequests = expectations.map(({ request }) => request)
// One request per method and table or function.
const requestKinds = Map.groupBy(allRequests, (request) => /^\S+ (?:rpc\/)?/.exec(request)![0])
const oneOfEachKind = Array.from(requestKinds.values(), ([first]) => first!)
const isTableRequest = (request: string) => !request.includes(' rpc/')

const PRIVATE_TABLES = {
  private: 'owner',
  auth: 'users',
  supabase_migrations: 'schema_migrations',
  pg_catalog: 'pg_authid',
  information_schema: 'tables',
}

// Anonymous requests are refused before the path is looked up.
const refusalOf = (actor: Actor) => (actor === 'anon' ? /^42501$/ : /^PGRST/)

describe('the data API', () => {
  let api: DataApi
  let before: string
  beforeAll(async () => {
    api = await openDataApi()
    await reset()
  })
  afterAll(() => api.close())

  async function reset() {
    await api.database.run(`${DELETE_ROWS}; ${ROWS}`)
    before = await everything(api)
  }

  /** Returns whether a row has changed. If so, resets all rows. */
  async function wasChanged() {
    const isChanged = (await everything(api)) !== before
    if (isChanged) await reset()
    return isChanged
  }

  test.each(lines)('$actor: $request', async ({ actor, request, wanted }) => {
    const mayWrite = isTableRequest(request)
      ? !request.startsWith('GET')
      : actor !== 'another user' && WRITES.test(request)
    const outcome = await outcomeOf(api, request, headersOf(actor, api))
    const isChanged = await wasChanged()
    expect({ outcome, isChanged }).toEqual({ outcome: wanted, isChanged: wanted === '1 row' && mayWrite })
  })

  test('another user is not the owner, and gets neither usage nor a backup', async () => {
    const another = headersOf('another user', api)
    expect(await (await send(api, 'POST rpc/is_owner {}', another)).json()).toBe(false)
    expect(await (await send(api, 'POST rpc/maintenance_use {"gear_id": 1}', another)).json()).toBe(null)
    expect(await (await send(api, 'POST rpc/backup {}', another)).json()).toBe(null)
  })

  test('the schedule key gives no access, wherever it is sent', async () => {
    const { publishableKey: apikey, scheduleKey } = api.secrets
    const headers = [
      { 'x-schedule-key': scheduleKey },
      { apikey: scheduleKey },
      { apikey, 'x-schedule-key': scheduleKey },
      { apikey, authorization: `Bearer ${scheduleKey}` },
    ]
    expect(await allowedWith(headers)).toEqual([])
  })

  test('no key, or a key in the wrong header, gives no access', async () => {
    const { publishableKey: apikey, secretKey } = api.secrets
    expect(await allowedWith([{}], allRequests)).toEqual([])
    const headers = [
      { apikey: api.ownerToken },
      { authorization: `Bearer ${api.ownerToken}` },
      { authorization: `Bearer ${secretKey}` },
      { apikey, authorization: `Bearer ${apikey}` },
      { apikey, authorization: `Bearer ${secretKey}` },
    ]
    expect(await allowedWith(headers)).toEqual([])
  })

  test.each(invalidTokens)('a token $what gives no access', async ({ make }) => {
    const token = make(api.ownerToken, api.secrets)
    const headers = [{ apikey: api.secrets.publishableKey, authorization: `Bearer ${token}` }]
    expect(await allowedWith(headers)).toEqual([])
  })

  test('a token whose session has ended gives no access to what the owner may use', async () => {
    const claims = { ...claimsOf(api.ownerToken), session_id: '00000000-0000-0000-0000-000000000005' }
    const headers = [
      {
        apikey: api.secrets.publishableKey,
        authorization: `Bearer ${signToken(claims, api.secrets.jwtSecret)}`,
      },
    ]
    const requests = expectations.filter(({ owner }) => owner === '1 row').map(({ request }) => request)
    expect(requests.length).toBeGreaterThan(50)
    expect(await allowedWith(headers, requests)).toEqual([])
  })

  test.each(ACTORS)('%s can only access the schema public', async (actor) => {
    for (const [schema, table] of Object.entries(PRIVATE_TABLES)) {
      for (const name of [table, `${schema}.${table}`, `%22${schema}%22.%22${table}%22`]) {
        for (const profile of [schema, 'public']) {
          const headers = {
            ...headersOf(actor, api),
            'accept-profile': profile,
            'content-profile': profile,
          }
          expect(await outcomeOf(api, `GET ${name}`, headers)).toMatch(refusalOf(actor))
          expect(await outcomeOf(api, `POST ${name} {}`, headers)).toMatch(refusalOf(actor))
        }
      }
    }
  })

  test.each(ACTORS)('%s can only call functions in public', async (actor) => {
    for (const name of ['claim_ownership', 'is_anonymous', 'request_ride_check', 'pg_sleep', 'version']) {
      for (const profile of ['private', 'public', 'pg_catalog']) {
        const headers = { ...headersOf(actor, api), 'content-profile': profile }
        expect(await outcomeOf(api, `POST rpc/${name} {}`, headers)).toMatch(refusalOf(actor))
      }
    }
  })

  test('embedded resources follow the same policies', async () => {
    const outcomes = await Promise.all(
      ACTORS.map((actor) =>
        outcomeOf(api, 'GET bikes?select=gear_id,maintenance(name)', headersOf(actor, api)),
      ),
    )
    expect(outcomes).toEqual(['2 rows', '0 rows', '42501', '42501'])
  })

  test('nobody can upsert items, because that could change ids', async () => {
    const upsert = 'POST maintenance {"id": 1, "bikeId": 1, "name": "x"}'
    for (const actor of ACTORS) {
      const prefer = 'resolution=merge-duplicates,return=representation'
      expect(await outcomeOf(api, upsert, { ...headersOf(actor, api), prefer })).toBe('42501')
    }
    expect(await wasChanged()).toBe(false)
  })

  const asUser = (token: string) => ({
    apikey: api.secrets.publishableKey,
    authorization: `Bearer ${token}`,
  })

  // Without a session, a body may be up to 64 kB.
  test.each<[who: string, headers: () => Record<string, string>, announced: number, streamed: number]>([
    ['without a key', () => ({}), 401, 401],
    ['with a wrong key', () => ({ apikey: 'wrong' }), 401, 401],
    ['from anon', () => headersOf('anon', api), 413, 401],
    ['from another user', () => headersOf('another user', api), 413, 413],
    ...invalidTokens.map(({ what, make }): [string, () => Record<string, string>, number, number] => [
      `with a token ${what}`,
      () => asUser(make(api.ownerToken, api.secrets)),
      401,
      401,
    ]),
  ])('rejects a body of more than 64 kB %s', async (_, headers, announced, streamed) => {
    for (const path of ['maintenance', 'rpc/run_command', 'rpc/unknown']) {
      const length = { 'content-length': `${65 * 1024}` }
      expect(await sendBody(path, { ...headers(), ...length }, 65)).toMatchObject({
        status: announced,
        read: 0,
      })
      const { status, read } = await sendBody(path, headers(), 1000)
      expect([status, read > (streamed === 401 ? 0 : 65)]).toEqual([streamed, false])
    }
    expect(await wasChanged()).toBe(false)
  })

  // The owner and the functions may send up to 1 MB of rows, or up to 16 MB to an SQL function.
  test.each<[actor: Actor, path: string, kilobytes: number, outcome: string]>([
    ['owner', 'maintenance', 1000, '400 23514'],
    ['owner', 'maintenance', 1100, '413 too_large'],
    ['owner', 'rpc/run_command', 16_000, '400 RMT04'],
    ['owner', 'rpc/run_command', 17_000, '413 too_large'],
    ['secret key', 'maintenance', 1100, '413 too_large'],
    ['secret key', 'rpc/run_command', 17_000, '413 too_large'],
  ])('a request from %s to %s with %d kB returns %s', async (actor, path, kilobytes, outcome) => {
    for (const length of [{}, { 'content-length': `${kilobytes * 1024}` }]) {
      const headers = { ...headersOf(actor, api), ...length }
      const { status, code } = await sendBody(path, headers, kilobytes)
      expect(`${status} ${code}`).toBe(outcome)
    }
    expect(await wasChanged()).toBe(false)
  })

  async function sendBody(path: string, headers: Record<string, string>, kilobytes: number) {
    const [start, end] = path.startsWith('rpc/')
      ? [
          '{"command":"import_items","arguments":{"changed":[],"records":7,"newest":7,"added":[{"name":"',
          '"}]}}',
        ]
      : ['{"bikeId":1,"name":"', '"}']
    const text = start.padEnd(kilobytes * 1024 - end.length, 'x') + end
    let read = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(Buffer.from(text.slice(read * 1024, ++read * 1024)))
          if (read === kilobytes) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
    }
    const response = await api.fetch(`/rest/v1/${path}`, init)
    const { code } = (await response.json()) as { code?: string }
    return { status: response.status, code, read }
  }

  async function allowedWith(list: Record<string, string>[], requests = oneOfEachKind): Promise<string[]> {
    const allowed: string[] = []
    for (const headers of list) {
      for (const request of requests) {
        const { status } = await send(api, request, headers)
        if (status !== 401) allowed.push(`${Object.keys(headers).join()}: ${request}`)
      }
    }
    return (await wasChanged()) ? [...allowed, 'something was changed'] : allowed
  }
})
