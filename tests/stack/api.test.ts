import { Validator } from '@seriousme/openapi-schema-validator'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { createToken } from '../../supabase/functions/_shared/tokens.ts'
import { checked } from '../contract.ts'
import { type OwnerClient, signIn } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'

let tracker: Running
let owner: OwnerClient
let reader: string
let writer: string
beforeAll(async () => {
  tracker = await startSample()
  owner = await signIn(tracker.url)
  reader = await create('read')
  writer = await create('read and write')
})
afterAll(() => tracker.stop())

async function create(scope: 'read' | 'read and write'): Promise<string> {
  const token = createToken()
  const { error } = await owner.rpc('create_token', { token, name: 'Test', scope, days: 90 })
  if (error) throw error
  return token
}

interface Reply {
  status: number
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  body: any
  headers: Headers
}

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

async function call(path: string, init: Init = {}, token = reader): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${tracker.url}/functions/v1/api${path}`, { ...init, headers })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

const post = (path: string, body: object, { token = writer, key }: { token?: string; key?: string } = {}) =>
  call(
    path,
    { method: 'POST', body: JSON.stringify(body), headers: key ? { 'idempotency-key': key } : {} },
    token,
  )

function answerOf(name: string, { status, body }: Reply) {
  expect([status, body.message]).toEqual([200, undefined])
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  return checked(COMMANDS.find((command) => command.name === name)!.Answer, body) as any
}

const errorOf = ({ status, body }: Reply) => {
  expect(body.message).toMatch(/\.$/)
  return [status, body.code]
}

async function everything() {
  const answers = await Promise.all(['/v1/tasks', '/v1/parts', '/v1/bikes'].map((path) => call(path)))
  return answers.map(({ body }) => body)
}

describe('reads', () => {
  test('summary is flat, and agrees with the screens', async () => {
    const summary = answerOf('summary', await call('/v1/summary'))
    const { data } = await owner.functions.invoke('service-due', { body: {} })
    const states = data.tasks.map(({ state }: { state: string }) => state)
    const count = (...wanted: string[]) => states.filter((state: string) => wanted.includes(state)).length
    expect(summary).toMatchObject({
      due: count('due', 'overdue'),
      overdue: count('overdue'),
      soon: count('soon'),
      next_task: data.tasks[0].name,
      next_task_id: data.tasks[0].id,
      units: 'mi',
      currency: 'USD',
    })
    expect(summary.due).toBeGreaterThan(0)
    expect(Object.values(summary).every((value) => value === null || typeof value !== 'object')).toBe(true)
    expect(Date.parse(summary.last_sync)).toBeLessThan(Date.now())
  })

  test('lists are in a field of their name, in the order of the screens', async () => {
    const { tasks } = answerOf('list_tasks', await call('/v1/tasks'))
    const { data } = await owner.functions.invoke('service-due', { body: {} })
    expect(tasks.map(({ id }: { id: number }) => id)).toEqual(data.tasks.map(({ id }: { id: number }) => id))
    const due = answerOf('list_due', await call('/v1/due')).tasks
    expect(due).toEqual(
      tasks.filter(({ state }: { state: string }) => ['overdue', 'due', 'soon'].includes(state)),
    )
    const [{ bike_id: bike }] = due
    expect(
      new Set(
        answerOf('list_tasks', await call(`/v1/tasks?bike=${bike}`)).tasks.map(
          (task: { bike_id: number }) => task.bike_id,
        ),
      ),
    ).toEqual(new Set([bike]))
  })

  test('bikes and parts have the distances of the screens, in the wanted unit', async () => {
    const { data: garage } = await owner.functions.invoke('garage', { body: {} })
    const miles = answerOf('list_bikes', await call('/v1/bikes'))
    const kilometers = answerOf('list_bikes', await call('/v1/bikes?units=km'))
    expect([miles.units, kilometers.units]).toEqual(['mi', 'km'])
    for (const [index, { gear_id, distance }] of garage.bikes.entries()) {
      expect(miles.bikes[index]).toMatchObject({
        id: gear_id,
        distance: Number((distance / 1609).toFixed(1)),
      })
      expect(kilometers.bikes[index].distance).toBe(Number((distance / 1000).toFixed(1)))
    }
    const [{ id }] = miles.bikes
    const { parts } = answerOf('list_parts', await call(`/v1/parts?bike=${id}`))
    const { data: usage } = await owner.functions.invoke('maintenance-use', { body: { gear_id: id } })
    const used = new Map(
      usage.parts.map((part: { part_id: number; distance: number }) => [part.part_id, part.distance]),
    )
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts)
      expect(part).toMatchObject({
        bike_id: id,
        distance: Number(((used.get(part.id) as number) / 1609).toFixed(1)),
      })
    expect(answerOf('list_parts', await call('/v1/parts')).parts.length).toBeGreaterThan(parts.length)
  })

  test("answers name the owner's units and currency", async () => {
    await owner.from('settings').upsert({ distance: 'km', currency: 'EUR' })
    expect((await call('/v1/summary')).body).toMatchObject({ units: 'km', currency: 'EUR' })
    expect((await call('/v1/summary?units=mi')).body).toMatchObject({ units: 'mi', currency: 'EUR' })
    await owner.from('settings').upsert({ distance: 'mi', currency: 'USD' })
  })
})

describe('writes', () => {
  test('done, with its undo', async () => {
    const [task] = (await call('/v1/due')).body.tasks
    const { change } = answerOf('mark_done', await post(`/v1/tasks/${task.id}/done`, { note: 'By NFC tag' }))
    const again = answerOf('mark_done', await post(`/v1/tasks/${task.id}/done`, {}))
    expect(again.change).toBeNull()
    const after = (await call('/v1/tasks')).body.tasks.find(({ id }: { id: number }) => id === task.id)
    expect(after).toMatchObject({ state: 'ok', used_distance: 0 })
    const undone = answerOf('undo', await post('/v1/undo', { change }))
    expect(undone.restored).toBe(1)
    expect((await call('/v1/due')).body.tasks[0]).toEqual(task)
    expect(answerOf('undo', await post('/v1/undo', { change }))).toMatchObject({ restored: 0, change: null })
  })

  test('snooze, replace, move and measure, with their undo', async () => {
    const before = await everything()
    const [task] = (await call('/v1/due')).body.tasks
    const { bikes } = (await call('/v1/bikes')).body
    const part = (await call(`/v1/parts?bike=${bikes[0].id}`)).body.parts.find(
      ({ kind }: { kind: string }) => kind === 'chain',
    )
    const changes = [
      answerOf('snooze', await post(`/v1/tasks/${task.id}/snooze?units=km`, { distance: 25 })).change,
      answerOf('add_measurement', await post(`/v1/parts/${part.id}/measure`, { value: 0.5, unit: 'chain %' }))
        .change,
    ]
    const snoozed = (await call('/v1/tasks?units=km')).body.tasks.find(
      ({ id }: { id: number }) => id === task.id,
    )
    expect(snoozed.state).toBe('snoozed')
    const replaced = answerOf(
      'replace_part',
      await post(`/v1/parts/${part.id}/replace`, { name: 'Waxed chain', cost: 42.5 }),
    )
    const moved = answerOf(
      'move_part',
      await post(`/v1/parts/${replaced.part_id}/move`, { bike: bikes[1].id }),
    )
    expect(moved.part_id).toBe(replaced.part_id)
    const { parts } = (await call(`/v1/parts?bike=${bikes[1].id}`)).body
    expect(parts.at(-1)).toMatchObject({
      id: moved.part_id,
      name: 'Waxed chain',
      cost: 42.5,
      bike: bikes[1].name,
    })
    for (const change of [moved.change, replaced.change, ...changes.toReversed()])
      answerOf('undo', await post('/v1/undo', { change }))
    expect(await everything()).toEqual(before)
  })

  test('an undo that would discard a later edit writes nothing, and shows both values', async () => {
    const [part] = (await call('/v1/parts')).body.parts
    const { change } = answerOf(
      'add_measurement',
      await post(`/v1/parts/${part.id}/measure`, { value: 1.5, unit: 'pad mm' }),
    )
    await owner.from('wear_measurements').update({ value: 1.2 }).eq('value', 1.5)
    const refused = await post('/v1/undo', { change })
    expect(errorOf(refused)).toEqual([409, 'changed_since'])
    expect(refused.body.conflicts).toMatchObject([{ after: { value: 1.5 }, present: { value: 1.2 } }])
    await owner.from('wear_measurements').delete().eq('value', 1.2)
  })

  test('a repeated Idempotency-Key writes once, and another request with it is refused', async () => {
    const [part] = (await call('/v1/parts')).body.parts
    for (const key of [randomUUID(), 'tag-1']) {
      const first = await post(`/v1/parts/${part.id}/measure`, { value: 1, unit: 'pad mm' }, { key })
      const second = await post(`/v1/parts/${part.id}/measure`, { value: 1, unit: 'pad mm' }, { key })
      expect(second.body).toEqual(first.body)
      const { count } = await owner
        .from('wear_measurements')
        .select('*', { count: 'exact', head: true })
        .eq('unit', 'pad mm')
      expect(count).toBe(1)
      expect(
        errorOf(await post(`/v1/parts/${part.id}/measure`, { value: 2, unit: 'pad mm' }, { key })),
      ).toEqual([409, 'key_reused'])
      answerOf('undo', await post('/v1/undo', { change: first.body.change }))
    }
  })

  test.each<[what: string, path: string, body: object, status: number, code: string]>([
    ['an unknown task', '/v1/tasks/999999/done', {}, 404, 'unknown_task'],
    ['an unknown task', '/v1/tasks/999999/snooze', { days: 7 }, 404, 'unknown_task'],
    ['an unknown part', '/v1/parts/999999/replace', {}, 404, 'unknown_part'],
    ['an unknown part', '/v1/parts/999999/move', { bike: 1 }, 404, 'unknown_part'],
    ['an unknown part', '/v1/parts/999999/measure', { value: 1, unit: 'x' }, 404, 'unknown_part'],
    ['an unknown change', '/v1/undo', { change: randomUUID() }, 404, 'unknown_change'],
    ['an unknown path', '/v1/everything', {}, 404, 'unknown_path'],
    ['no unit', '/v1/parts/1/measure', { value: 1 }, 422, 'invalid_value'],
    ['a missing value', '/v1/parts/1/measure', { unit: 'x' }, 422, 'invalid_value'],
    ['an impossible day', '/v1/tasks/1/done', { day: '2026-02-30' }, 422, 'invalid_value'],
    ['an id that is no number', '/v1/tasks/one/done', {}, 422, 'invalid_value'],
    ['an unknown field', '/v1/tasks/1/done', { price: 3 }, 422, 'invalid_value'],
    ['U+0000', '/v1/tasks/1/done', { note: 'a\0b' }, 422, 'invalid_value'],
    ['half of a surrogate pair', '/v1/parts/1/replace', { name: '\ud800' }, 422, 'invalid_value'],
    ['two ends', '/v1/tasks/1/snooze', { days: 7, distance: 7 }, 422, 'invalid_value'],
    ['a list', '/v1/undo', [], 400, 'invalid_input'],
  ])('refuses %s: POST %s %j', async (_what, path, body, status, code) => {
    expect(errorOf(await post(path, body))).toEqual([status, code])
  })

  test('refuses a day in the future, and a part that is already there', async () => {
    const [part] = (await call('/v1/parts')).body.parts
    expect(errorOf(await post(`/v1/parts/${part.id}/replace`, { day: '2099-01-01' }))).toEqual([
      422,
      'invalid_day',
    ])
    expect(errorOf(await post(`/v1/parts/${part.id}/move`, { bike: part.bike_id }))).toEqual([
      409,
      'already_installed',
    ])
    expect(errorOf(await post(`/v1/parts/${part.id}/move`, { bike: 1 }))).toEqual([404, 'unknown_bike'])
  })

  test('refuses to list the parts and tasks of an unknown bike', async () => {
    for (const path of ['/v1/parts', '/v1/tasks', '/v1/due'])
      expect(errorOf(await call(`${path}?bike=1`))).toEqual([404, 'unknown_bike'])
  })

  test('names the field that is wrong', async () => {
    expect((await post('/v1/tasks/1/done', { cost: 'ten' })).body.message).toMatch(/^cost: /)
  })
})

describe('tokens', () => {
  const writes = COMMANDS.filter(({ isWrite, path }) => isWrite && path !== null).map(({ path }) =>
    path!.replace('{id}', '1'),
  )

  test.each(writes)('a read token may not POST %s, whatever the body', async (path) => {
    for (const body of [{}, { nonsense: true }])
      expect(errorOf(await post(path, body, { token: reader }))).toEqual([403, 'forbidden'])
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
    ] as const)
      expect(errorOf(await call(path, { ...init, headers: headers() }))).toEqual([401, 'unauthorized'])
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

  test('a revoked token stops at once', async () => {
    const token = await create('read')
    expect((await call('/v1/summary', {}, token)).status).toBe(200)
    const { data } = await owner.rpc('tokens')
    const [{ id }] = (data as { tokens: { id: number }[] }).tokens as [{ id: number }]
    await owner.rpc('revoke_token', { token_id: id })
    expect(errorOf(await call('/v1/summary', {}, token))).toEqual([401, 'unauthorized'])
  })

  test('a token opens neither the data API nor the other functions', async () => {
    for (const path of ['rest/v1/maintenance', 'rest/v1/rpc/tokens', 'functions/v1/garage', 'auth/v1/user']) {
      const response = await fetch(`${tracker.url}/${path}`, {
        method: path.includes('/v1/m') || path.includes('user') ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${writer}` },
      })
      expect([path, response.status]).toEqual([path, 401])
    }
  })
})

describe('the document', () => {
  test('is valid OpenAPI 3.1, and describes every path and field', async () => {
    const { body } = await call('/openapi.json', { headers: { authorization: '' } })
    const validator = new Validator()
    expect(await validator.validate(body)).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(Object.keys(body.paths)).toEqual(COMMANDS.flatMap(({ path }) => path ?? []))
    expect(undescribed(body)).toEqual([])
  })
})

/** Lists the fields and parameters without a description. */
function undescribed(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {}, parameters = {} } = part as { properties?: object; parameters?: object }
  const fields = [...Object.entries(properties), ...Object.entries(parameters)] as [
    string,
    { description?: string },
  ][]
  return [
    ...fields.filter(([, { description }]) => !description).map(([name]) => `${path}/${name}`),
    ...Object.entries(part).flatMap(([key, value]) => undescribed(value, `${path}/${key}`)),
  ]
}

test('answers are never stored, and pages of other origins can’t read them', async () => {
  for (const path of ['/v1/summary', '/v1/unknown', '/openapi.json']) {
    const { headers } = await call(path, { headers: { origin: 'https://example.com' } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  const preflight = await fetch(`${tracker.url}/functions/v1/api/v1/undo`, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
  })
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  const wrong = await call('/v1/undo')
  expect([...errorOf(wrong), wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST'])
})
