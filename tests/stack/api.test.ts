import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { checked } from '../contract.ts'
import { NOT_LINKS } from '../links.ts'
import type { OwnerClient } from '../owner.ts'
import { type ApiClient, type Reply, startApi } from './api-client.ts'

let api: ApiClient
let owner: OwnerClient
let reader: string
let writer: string
beforeAll(async () => {
  api = await startApi()
  ;({ owner, reader, writer } = api)
})
afterAll(() => api.stop())

const call: ApiClient['call'] = (path, init, token = reader) => api.call(path, init, token)
const post = (path: string, body: object, options?: { token?: string; key?: string }) =>
  api.send('POST', path, body, options)

/** Reads by a command's name, and checks the answer by its contract. */
async function read(name: string, query: Record<string, string | number> = {}) {
  const { path, Answer } = COMMANDS.find((command) => command.name === name)!
  const parameters = Object.entries(query).map(([key, value]) => [key, String(value)])
  const { status, body } = await call(`${path}?${new URLSearchParams(parameters)}`)
  expect([status, body.message]).toEqual([200, undefined])
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  return checked(Answer, body) as any
}

/** Calls a function as the screens do. */
async function ask(name: string, body: object = {}) {
  const { data } = await owner.functions.invoke(name, { body })
  return data
}

const errorOf = ({ status, body }: Reply) => {
  expect(body.message).toMatch(/\.$/)
  return [status, body.code]
}

type Row = { id: number }
const kindsOf = (checks: { kind: string }[]) => checks.map(({ kind }) => kind)
const idsOf = (rows: Row[]) => rows.map(({ id }) => id)
const inUnits = (meters: number, unit = 1609) => Number((meters / unit).toFixed(1))

describe('reads', () => {
  test('summary is flat, and agrees with the screens', async () => {
    const summary = await read('summary')
    const { tasks } = await ask('service-due')
    const count = (...wanted: string[]) =>
      tasks.filter(({ state }: { state: string }) => wanted.includes(state)).length
    expect(summary).toMatchObject({
      due: count('due', 'overdue'),
      overdue: count('overdue'),
      soon: count('soon'),
      next_task: tasks[0].name,
      next_task_id: tasks[0].id,
    })
    expect(summary.due).toBeGreaterThan(0)
    expect(Object.values(summary).every((value) => value === null || typeof value !== 'object')).toBe(true)
    expect(Date.parse(summary.last_sync)).toBeLessThan(Date.now())
  })

  test('tasks are in the order of the screens, and can be limited to what is due, or to a bike', async () => {
    const { tasks } = await read('list_tasks')
    expect(idsOf(tasks)).toEqual(idsOf((await ask('service-due')).tasks))
    const due = tasks.filter(({ state }: { state: string }) => ['overdue', 'due', 'soon'].includes(state))
    expect((await read('list_due')).tasks).toEqual(due)
    const [{ bike_id: bike }] = due
    const ofBike = tasks.filter((task: { bike_id: number }) => task.bike_id === bike)
    expect((await read('list_tasks', { bike })).tasks).toEqual(ofBike)
    expect(ofBike.length).toBeLessThan(tasks.length)
  })

  test('bikes and parts have the distances of the screens, in the wanted unit', async () => {
    const garage = await ask('garage')
    const [{ bikes }, metric] = [await read('list_bikes'), await read('list_bikes', { units: 'km' })]
    expect(bikes.length).toBeGreaterThan(3)
    for (const [index, { gear_id: id, distance }] of garage.bikes.entries()) {
      expect(bikes[index]).toMatchObject({ id, distance: inUnits(distance) })
      expect(metric.bikes[index].distance).toBe(inUnits(distance, 1000))
    }
    const [{ id: bike }] = bikes
    const { parts } = await read('list_parts', { bike })
    const used = await ask('maintenance-use', { gear_id: bike })
    for (const { id, bike_id, distance } of parts) {
      const part = used.parts.find(({ part_id }: { part_id: number }) => part_id === id)
      expect([bike_id, distance]).toEqual([bike, inUnits(part.distance)])
    }
    expect((await read('list_parts')).parts.length).toBeGreaterThan(parts.length)
  })

  test('HEAD works where GET does, for uptime monitors', async () => {
    for (const path of ['/v1/summary', '/v1/log?limit=1', '/openapi.json']) {
      const { status, body, headers } = await call(path, { method: 'HEAD' })
      expect([path, status, body, headers.get('content-type')]).toEqual([
        path,
        200,
        undefined,
        'application/json',
      ])
    }
    expect((await call('/v1/summary', { method: 'HEAD' }, createToken())).status).toBe(401)
    expect((await call('/v1/undo', { method: 'HEAD' })).status).toBe(405)
  })

  test('the log has the usage of the screens', async () => {
    const [{ id: bike }] = (await read('list_bikes')).bikes
    const { entries } = await read('list_entries', { bike, limit: 500 })
    const { items } = await ask('maintenance-use', { gear_id: bike })
    expect(new Set(idsOf(entries))).toEqual(new Set(idsOf(items)))
    for (const { id, rides, distance, hours } of entries) {
      const item = items.find((item: Row) => item.id === id)
      expect([rides, distance, hours]).toEqual([
        item.rides,
        inUnits(item.distance),
        inUnits(item.moving_time, 3600),
      ])
    }
  })

  test.each([
    ['list_entries', 'entries', 'started_on', 20],
    ['list_services', 'services', 'done_on', 7],
  ])('%s is newest first, in pages', async (name, field, day, limit) => {
    const { next, ...whole } = await read(name, { limit: 500 })
    const rows = whole[field]
    expect(next).toBeNull()
    expect(rows.length).toBeGreaterThan(2 * limit)
    const days = rows.map((row: Record<string, string>) => row[day])
    expect(days).toEqual(days.toSorted().toReversed())
    const paged: object[] = []
    let after: { after?: number } | null = {}
    while (after) {
      const page: Record<string, object[]> & { next: number | null } = await read(name, { limit, ...after })
      expect(page[field]!.length).toBeLessThanOrEqual(limit)
      paged.push(...page[field]!)
      after = page.next === null ? null : { after: page.next }
    }
    expect(paged).toEqual(rows)
  })

  test('the log and services can be filtered by bike, type, text and period', async () => {
    type Row = Record<string, string> & { bike_id: number }
    const { entries } = await read('list_entries', { limit: 500 })
    const { services } = await read('list_services', { limit: 500 })
    const filters = (
      rows: Row[],
      day: string,
    ): [Record<string, string | number>, (row: Row) => boolean][] => {
      const [bike, from, to] = [rows[0]!.bike_id, rows.at(-9)![day]!, rows[5]![day]!]
      return [
        [{ bike }, ({ bike_id }) => bike_id === bike],
        [{ from, to }, (row) => from <= row[day]! && row[day]! <= to],
        [{ from }, (row) => from <= row[day]!],
      ]
    }
    const ofEntries: ReturnType<typeof filters> = [
      ...filters(entries, 'started_on'),
      [{ type: 'Tires' }, ({ type }) => type === 'Tires'],
      [{ text: 'ChAiN' }, ({ name, description }) => /chain/i.test(`${name} ${description}`)],
      [{ text: '11' }, ({ name, description }) => `${name} ${description}`.includes('11')],
    ]
    for (const [name, field, rows, all] of [
      ['list_entries', 'entries', entries, ofEntries],
      ['list_services', 'services', services, filters(services, 'done_on')],
    ] as const) {
      for (const [query, keeps] of all) {
        const wanted = rows.filter(keeps)
        expect([name, query, wanted.length > 0]).toEqual([name, query, true])
        expect([query, (await read(name, { limit: 500, ...query }))[field]]).toEqual([query, wanted])
      }
    }
    const [{ task_id: task }] = services
    const history = await call(`/v1/tasks/${task}/history?limit=500`)
    expect(history.body.services).toEqual(services.filter((row: Row) => Number(row['task_id']) === task))
    expect(history.body.services.length).toBeLessThan(services.length)
  })

  test('rides are added up by month, newest first', async () => {
    const [{ id: bike }] = (await read('list_bikes')).bikes
    const period = { from: '2024-03-15', to: '2024-06-30' }
    const rides = owner.from('rides').select('distance, month:started_at').eq('gear_id', bike)
    const { data } = await rides.gte('started_at', period.from).lt('started_at', '2024-07-01').throwOnError()
    const sumOf = (rows: typeof data) => ({
      rides: rows.length,
      distance: inUnits(rows.reduce((sum, { distance }) => sum + (distance ?? 0), 0)),
    })
    const months = Map.groupBy(data, ({ month }) => (month as string).slice(0, 7))
    expect(months.size).toBeGreaterThan(1)
    const answer = await read('ride_totals', { bike, ...period })
    expect(answer).toMatchObject(sumOf(data))
    const newestFirst = [...months.keys()].toSorted().toReversed()
    expect(answer.months.map(({ month }: { month: string }) => month)).toEqual(newestFirst)
    for (const month of answer.months) expect(month).toMatchObject(sumOf(months.get(month.month)!))
  })

  test('spending and checks say what the screens say', async () => {
    const period = { from: '2024-02-10', to: '2025-01-20' }
    const { period: shown, this_year } = await ask('spending', period)
    const answer = await read('spending', period)
    expect(answer).toMatchObject({ cost: shown.total.cost, this_year })
    expect(answer.bikes).toMatchObject(
      shown.bikes.map(({ gear_id: id, cost }: { gear_id: number; cost: number }) => ({ id, cost })),
    )
    expect(shown.total.cost).toBeGreaterThan(0)

    const { checks } = await read('list_checks')
    expect(kindsOf(checks)).toEqual(kindsOf((await ask('to-check')).lines))
    expect(checks.length).toBeGreaterThan(0)
    for (const check of checks)
      expect(check).toMatchObject({
        title: expect.stringMatching(/\S/),
        why: expect.stringMatching(/[^.]\.$/),
      })
  })

  test("answers name the owner's units and currency", async () => {
    await owner.from('settings').upsert({ distance: 'km', currency: 'EUR' })
    expect(await read('summary')).toMatchObject({ units: 'km', currency: 'EUR' })
    expect(await read('summary', { units: 'mi' })).toMatchObject({ units: 'mi', currency: 'EUR' })
    await owner.from('settings').upsert({ distance: 'mi', currency: 'USD' })
  })
})

const measure = async (value: number, key?: string) => {
  const [part] = (await read('list_parts')).parts
  return post(`/v1/parts/${part.id}/measure`, { value, unit: 'pad mm' }, key ? { key } : {})
}

describe('writes', () => {
  test('an undo that would discard a later edit writes nothing, and shows both values', async () => {
    const { change } = (await measure(1.5)).body
    await owner.from('wear_measurements').update({ value: 1.2 }).eq('value', 1.5)
    const refused = await post('/v1/undo', { change })
    expect(errorOf(refused)).toEqual([409, 'changed_since'])
    expect(refused.body.conflicts).toMatchObject([{ after: { value: 1.5 }, present: { value: 1.2 } }])
    expect(refused.body.message).toMatch(
      /^Nothing was written\. Measurement of .* was edited since: Value 1\.5 → 1\.2\.$/,
    )
    await owner.from('wear_measurements').delete().eq('value', 1.2)
  })

  test('the history says what was done, newest first, in pages, and what is left to undo', async () => {
    const [{ id: bike, name }] = (await read('list_bikes')).bikes
    const added = (await post('/v1/log', { bike, name: 'Bell', cost: 10 })).body
    const renamed = await api.send('PATCH', `/v1/log/${added.entry_id}`, { name: 'Brass bell', cost: 12.5 })
    const shown = [
      {
        change: renamed.body.change,
        title: 'Edited Brass bell',
        details: `Name Bell → Brass bell, Cost $10.00 → $12.50 · ${name}`,
        can_undo: true,
      },
      { change: added.change, title: expect.stringMatching(/^Added Bell, /), details: name, can_undo: true },
    ]
    const first = await read('list_history', { limit: 1 })
    expect(first.changes).toMatchObject(shown.slice(0, 1))
    expect((await read('list_history', { limit: 1, after: first.next })).changes).toMatchObject(
      shown.slice(1),
    )
    expect(Math.abs(Date.parse(first.changes[0].at) - Date.now())).toBeLessThan(60_000)

    const undone = await post('/v1/undo', { change: renamed.body.change })
    expect((await read('list_history', { limit: 2 })).changes).toMatchObject([
      { change: undone.body.change, title: 'Restored Bell', can_undo: true },
      { change: renamed.body.change, can_undo: false },
    ])
    const { changes, next } = await read('list_history', { limit: 500 })
    expect(next).toBeNull()
    expect(changes.length).toBeGreaterThan(2)
    expect((await post('/v1/undo', { change: added.change })).status).toBe(200)
  })

  test('a repeated Idempotency-Key writes once, and another request with it is refused', async () => {
    for (const key of [randomUUID(), 'tag-1']) {
      const { body } = await measure(1, key)
      expect((await measure(1, key)).body).toEqual(body)
      const { data } = await owner.from('wear_measurements').select('unit').eq('unit', 'pad mm')
      expect(data).toHaveLength(1)
      expect(errorOf(await measure(2, key))).toEqual([409, 'key_reused'])
      expect((await post('/v1/undo', { change: body.change })).status).toBe(200)
    }
  })

  const unknown = 999_999
  test.each<[what: string, request: string, body: object, status: number, code: string]>([
    ['an unknown task', `POST /v1/tasks/${unknown}/done`, {}, 404, 'unknown_task'],
    ['an unknown task', `POST /v1/tasks/${unknown}/snooze`, { days: 7 }, 404, 'unknown_task'],
    ['an unknown task', `PATCH /v1/tasks/${unknown}`, { name: 'Wax' }, 404, 'unknown_task'],
    ['an unknown task', `DELETE /v1/tasks/${unknown}`, {}, 404, 'unknown_task'],
    ['an unknown entry', `PATCH /v1/log/${unknown}`, { cost: 1 }, 404, 'unknown_item'],
    ['an unknown entry', `DELETE /v1/log/${unknown}`, {}, 404, 'unknown_item'],
    ['an unknown part', `POST /v1/parts/${unknown}/replace`, {}, 404, 'unknown_part'],
    ['an unknown part', `POST /v1/parts/${unknown}/move`, { bike: 1 }, 404, 'unknown_part'],
    ['an unknown part', `POST /v1/parts/${unknown}/measure`, { value: 1, unit: 'x' }, 404, 'unknown_part'],
    ['an unknown change', '/v1/undo', { change: randomUUID() }, 404, 'unknown_change'],
    ['an unknown bike', '/v1/log', { bike: 1, name: 'Bell' }, 422, 'invalid_value'],
    ['an unknown bike', '/v1/tasks', { bike: 1, name: 'Wash', every_days: 7 }, 422, 'invalid_value'],
    ['an unknown part', '/v1/tasks', { part: unknown, name: 'Wax', every_days: 7 }, 422, 'invalid_value'],
    ['an unknown path', '/v1/everything', {}, 404, 'unknown_path'],
    ['a part and a bike', '/v1/tasks', { part: 1, bike: 1, name: 'A', every_days: 7 }, 422, 'invalid_value'],
    ['a task without a limit', '/v1/tasks', { bike: 1, name: 'Wash' }, 422, 'invalid_value'],
    ['no name', '/v1/log', { bike: 1, name: ' ' }, 422, 'invalid_value'],
    ['a long name', '/v1/log', { bike: 1, name: 'x'.repeat(1001) }, 422, 'invalid_value'],
    ['a day of year 0', '/v1/log', { bike: 1, name: 'A', started_on: '0000-01-01' }, 422, 'invalid_value'],
    ['no unit', '/v1/parts/1/measure', { value: 1 }, 422, 'invalid_value'],
    ['an impossible day', '/v1/tasks/1/done', { day: '2026-02-30' }, 422, 'invalid_value'],
    ['an id that is no number', '/v1/tasks/one/done', {}, 422, 'invalid_value'],
    ['an unknown field', '/v1/tasks/1/done', { price: 3 }, 422, 'invalid_value'],
    ['U+0000', '/v1/tasks/1/done', { note: 'a\0b' }, 422, 'invalid_value'],
    ['half of a surrogate pair', '/v1/parts/1/replace', { name: '\ud800' }, 422, 'invalid_value'],
    ['two ends', '/v1/tasks/1/snooze', { days: 7, distance: 7 }, 422, 'invalid_value'],
    ['a list', '/v1/undo', [], 400, 'invalid_input'],
  ])('refuses %s: %s %j', async (_what, request, body, status, code) => {
    const [path, method = 'POST'] = request.split(' ').toReversed() as [string, string?]
    expect(errorOf(await api.send(method, path, body))).toEqual([status, code])
  })

  test('refuses what does not fit the log: a future day, a part that is already there, no limit left', async () => {
    const [part] = (await read('list_parts')).parts
    const future = await post(`/v1/parts/${part.id}/replace`, { day: '2099-01-01' })
    expect(errorOf(future)).toEqual([422, 'invalid_day'])
    const there = await post(`/v1/parts/${part.id}/move`, { bike: part.bike_id })
    expect(errorOf(there)).toEqual([409, 'already_installed'])
    expect(errorOf(await post(`/v1/parts/${part.id}/move`, { bike: 1 }))).toEqual([404, 'unknown_bike'])
    const [{ id }] = (await read('list_tasks')).tasks
    const none = { clear: ['every_distance', 'every_hours', 'every_days'] }
    expect(errorOf(await api.send('PATCH', `/v1/tasks/${id}`, none))).toEqual([422, 'invalid_value'])
  })

  test('a move to where another part is names it, and a spare is listed and moves, too', async () => {
    const { parts } = await read('list_parts')
    const [chain, other] = parts.filter(
      ({ kind, bike }: Record<string, unknown>) => kind === 'chain' && bike !== null,
    )
    const refused = await post(`/v1/parts/${chain.id}/move`, { bike: other.bike_id })
    expect(errorOf(refused)).toEqual([409, 'replaces_parts'])
    expect(refused.body.would_replace).toEqual([{ entry_id: expect.any(Number), name: other.name }])
    const [{ entry_id }] = refused.body.would_replace
    expect(refused.body.message).toContain(`${other.name} (${entry_id})`)
    const day = '2024-05-01'
    const spare = {
      bike: chain.bike_id,
      name: 'KMC chain',
      started_on: day,
      ended_on: day,
      ended_as: 'stored',
    }
    const { part_id: id, ...added } = (await post('/v1/log', spare)).body
    expect(await read('list_parts')).toMatchObject({
      parts: expect.arrayContaining([
        expect.objectContaining({ id, bike_id: null, first_installed_on: day }),
      ]),
    })
    expect((await read('list_entries', { text: 'KMC chain' })).entries).toMatchObject([{ part_id: id }])
    const moved = await post(`/v1/parts/${id}/move`, { bike: other.bike_id, replaces: [entry_id] })
    expect(moved.body.part_id).toBe(id)
    expect(
      (await read('list_parts', { bike: other.bike_id })).parts.map(({ name }: { name: string }) => name),
    ).toContain('KMC chain')
    for (const { change } of [moved.body, added]) await post('/v1/undo', { change })
    expect(await read('list_parts')).toMatchObject({ parts })
  })

  test.each(NOT_LINKS)('refuses the link %j', async (link) => {
    const { status, body } = await api.send('PATCH', '/v1/log/1', { link })
    expect([status, body.message]).toEqual([422, expect.stringMatching(/^link: Enter a link that/)])
  })
})

test('refuses to list the parts and tasks of an unknown bike', async () => {
  for (const path of ['/v1/parts', '/v1/tasks', '/v1/due'])
    expect(errorOf(await call(`${path}?bike=1`))).toEqual([404, 'unknown_bike'])
})

describe('tokens', () => {
  const writes = COMMANDS.filter(({ isWrite, path }) => isWrite && path !== null).map(
    ({ method, path }): [string, string] => [method, path!.replace('{id}', '1')],
  )

  test('a token that reads may not write, whatever the body', async () => {
    expect(writes.length).toBeGreaterThan(10)
    for (const [method, path] of writes)
      for (const body of [{}, { nonsense: true }]) {
        const answer = await api.send(method, path, body, { token: reader })
        expect([path, ...errorOf(answer)]).toEqual([path, 403, 'forbidden'])
      }
  })

  test.each<[what: string, headers: () => Record<string, string>]>([
    ['no token', () => ({ authorization: '' })],
    ['a mistyped token', () => ({ authorization: `Bearer ${reader.slice(0, -1)}` })],
    ['an unknown token', () => ({ authorization: `Bearer ${createToken()}` })],
    ['another header', () => ({ authorization: '', apikey: reader })],
    ["the owner's session", () => ({ authorization: `Bearer ${session}` })],
  ])('%s is 401, before anything else is checked', async (_what, headers) => {
    for (const [path, init] of [
      ['/v1/summary', {}],
      ['/v1/undo', { method: 'POST', body: '{}' }],
      ['/v1/undo', { method: 'POST', body: 'nonsense' }],
    ] as const) {
      const refused = await call(path, { ...init, headers: headers() })
      expect([...errorOf(refused), refused.headers.get('www-authenticate')]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ])
    }
  })
  let session: string
  beforeAll(async () => {
    session = (await owner.auth.getSession()).data.session!.access_token
  })

  test('a token in the address is refused with the reason, even next to a valid one', async () => {
    for (const path of [`/v1/summary?token=${reader}`, `/${reader}/v1/summary`]) {
      const refused = await call(path)
      expect(errorOf(refused)).toEqual([401, 'unauthorized'])
      expect(refused.body.message).toContain('not accepted in the URL')
    }
  })

  test('a token opens neither the data API nor the other functions', async () => {
    for (const path of ['rest/v1/maintenance', 'rest/v1/rpc/tokens', 'functions/v1/garage', 'auth/v1/user']) {
      const response = await fetch(`${api.url}/${path}`, {
        method: path.includes('/v1/m') || path.includes('user') ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${writer}` },
      })
      expect([path, response.status]).toEqual([path, 401])
    }
  })
})

test('answers are never stored, and pages of other origins can’t read them', async () => {
  for (const path of ['/v1/summary', '/v1/unknown', '/openapi.json']) {
    const { headers } = await call(path, { headers: { origin: 'https://example.com' } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  const preflight = await fetch(`${api.url}/functions/v1/api/v1/undo`, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
  })
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  for (const [path, allowed] of [
    ['/v1/undo', 'POST'],
    ['/v1/log/1', 'PATCH, DELETE'],
    ['/v1/tasks', 'GET, HEAD, POST'],
  ] as const) {
    const wrong = await call(path, { method: path === '/v1/tasks' ? 'PUT' : 'GET' })
    expect([...errorOf(wrong), wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', allowed])
  }
})
