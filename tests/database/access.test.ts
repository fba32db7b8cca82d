import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { TABLES } from '../../embedded/backup/tables.ts'
import { invalidTokens } from '../tokens.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { DELETE_ROWS } from './databases.ts'
import { ACTORS, readExpectations, ROWS } from './expectations.ts'
import { everything, headersOf, outcomeOf, send } from './requests.ts'

// Supabase Lite prints every rejected statement.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

const expectations = await readExpectations()
const lines = expectations.flatMap((line) => ACTORS.map((actor) => ({ ...line, actor, wanted: line[actor] })))
const WRITES =
  /start_ride_sync|switch_rwgps_account|(add|remove)_service_task|mark_service_done|(correct|remove)_service_event|rename_items/
const allRequests = expectations.map(({ request }) => request)
// One request per method, for a table or a function.
const requestKinds = Map.groupBy(allRequests, (request) => /^\S+ (?:rpc\/)?/.exec(request)![0])
const oneOfEachKind = Array.from(requestKinds.values(), ([first]) => first!)
const isTableRequest = (request: string) => !request.includes(' rpc/')

/** A table in each private schema. */
const PRIVATE_TABLES = {
  private: 'owner',
  auth: 'users',
  supabase_migrations: 'schema_migrations',
  pg_catalog: 'pg_authid',
  information_schema: 'tables',
}

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

  /** Whether a row has changed since the last reset. If so, resets the rows. */
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

  test('another user is not the owner, and gets no usage and an empty backup', async () => {
    const another = headersOf('another user', api)
    expect(await (await send(api, 'POST rpc/is_owner {}', another)).json()).toBe(false)
    expect(await (await send(api, 'POST rpc/maintenance_use {"gear_id": 1}', another)).json()).toBe(null)
    for (const { name: relation } of TABLES) {
      const page = await send(api, `POST rpc/backup_page {"relation": "${relation}"}`, another)
      expect(await page.json()).toEqual({ schema: null, rows: [], last: null, total: 0 })
    }
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

  test.each(ACTORS)('%s can only access the schema public', async (actor) => {
    for (const [schema, table] of Object.entries(PRIVATE_TABLES)) {
      for (const name of [table, `${schema}.${table}`, `%22${schema}%22.%22${table}%22`]) {
        for (const profile of [schema, 'public']) {
          const headers = {
            ...headersOf(actor, api),
            'accept-profile': profile,
            'content-profile': profile,
          }
          expect(await outcomeOf(api, `GET ${name}`, headers)).toMatch(/^PGRST/)
          expect(await outcomeOf(api, `POST ${name} {}`, headers)).toMatch(/^PGRST/)
        }
      }
    }
  })

  test.each(ACTORS)('%s can only call functions in public', async (actor) => {
    for (const name of ['claim_ownership', 'is_anonymous', 'request_ride_refresh', 'pg_sleep', 'version']) {
      for (const profile of ['private', 'public', 'pg_catalog']) {
        const headers = { ...headersOf(actor, api), 'content-profile': profile }
        expect(await outcomeOf(api, `POST rpc/${name} {}`, headers)).toMatch(/^PGRST/)
      }
    }
  })

  test('embedded resources follow the same policies', async () => {
    const outcomes = await Promise.all(
      ACTORS.map((actor) =>
        outcomeOf(api, 'GET bikes?select=gear_id,maintenance(name)', headersOf(actor, api)),
      ),
    )
    expect(outcomes).toEqual(['1 row', '0 rows', '42501', '42501'])
  })

  test('nobody can upsert items, because that could change ids', async () => {
    const upsert = 'POST maintenance {"id": 1, "bikeId": 1, "name": "x"}'
    for (const actor of ACTORS) {
      const prefer = 'resolution=merge-duplicates,return=representation'
      expect(await outcomeOf(api, upsert, { ...headersOf(actor, api), prefer })).toBe('42501')
    }
    expect(await wasChanged()).toBe(false)
  })

  /** The requests that did not get 401 with any of these headers. */
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
