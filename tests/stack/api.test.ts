import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { createToken } from '../../supabase/functions/_shared/tokens.ts'
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

  test('the log has the usage of the screens, newest first, in pages', async () => {
    const { bikes } = (await call('/v1/bikes')).body
    for (const { id: bike } of bikes) {
      const { entries, next } = answerOf('list_entries', await call(`/v1/log?bike=${bike}&limit=500`))
      expect(next).toBeNull()
      const { data: usage } = await owner.functions.invoke('maintenance-use', { body: { gear_id: bike } })
      const used = new Map<number, { rides: number; distance: number; moving_time: number }>(
        usage.items.map((item: { id: number }) => [item.id, item]),
      )
      expect(new Set(entries.map(({ id }: { id: number }) => id))).toEqual(new Set(used.keys()))
      for (const { id, rides, distance, hours } of entries) {
        const item = used.get(id)!
        expect([rides, distance, hours]).toEqual([
          item.rides,
          Number((item.distance / 1609).toFixed(1)),
          Number((item.moving_time / 3600).toFixed(1)),
        ])
      }
      const days = entries.map(({ started_on }: { started_on: string }) => started_on)
      expect(days).toEqual(days.toSorted().toReversed())
      const paged: object[] = []
      let after = ''
      do {
        const page = answerOf('list_entries', await call(`/v1/log?bike=${bike}&limit=4${after}`))
        expect(page.entries.length).toBeLessThanOrEqual(4)
        paged.push(...page.entries)
        after = page.next === null ? '' : `&after=${page.next}`
      } while (after !== '')
      expect(paged).toEqual(entries)
    }
  })

  test('the log can be filtered by type, text and period', async () => {
    type Entry = { type: string; name: string; description: string | null; started_on: string }
    const { entries } = answerOf('list_entries', await call('/v1/log?limit=500'))
    const [from, to] = ['2024-01-01', '2024-12-31']
    const filters: [string, (entry: Entry) => boolean][] = [
      ['type=Tires', ({ type }) => type === 'Tires'],
      ['text=ChAiN', ({ name, description }) => `${name} ${description}`.toLowerCase().includes('chain')],
      ['text=11', ({ name, description }) => `${name} ${description}`.includes('11')],
      [`from=${from}&to=${to}`, ({ started_on }) => from <= started_on && started_on <= to],
      [`from=${from}`, ({ started_on }) => from <= started_on],
    ]
    for (const [query, keeps] of filters) {
      const filtered = answerOf('list_entries', await call(`/v1/log?limit=500&${query}`)).entries
      expect([query, filtered]).toEqual([query, entries.filter(keeps)])
      expect([query, filtered.length > 0]).toEqual([query, true])
    }
  })

  test('rides are added up by month like a plain loop', async () => {
    type Ride = {
      gear_id: number | null
      distance: number | null
      started_at: string | null
    }
    const rides: Ride[] = []
    let page: Ride[]
    do {
      const columns = 'gear_id, distance, started_at'
      const { data } = await owner
        .from('rides')
        .select(columns)
        .order('id')
        .range(rides.length, rides.length + 999)
        .throwOnError()
      page = data
      rides.push(...page)
    } while (page.length > 0)
    const [{ id: bike }] = (await call('/v1/bikes')).body.bikes
    for (const [query, keeps] of [
      ['', () => true],
      [`?bike=${bike}`, ({ gear_id }) => gear_id === bike],
      ['?from=2024-05-01&to=2024-05-31', ({ started_at }) => started_at?.startsWith('2024-05') ?? false],
      [
        `?bike=${bike}&from=2024-03-15`,
        ({ gear_id, started_at }) => gear_id === bike && (started_at ?? '') >= '2024-03-15',
      ],
    ] as [string, (ride: Ride) => boolean][]) {
      const answer = answerOf('ride_totals', await call(`/v1/rides${query}`))
      const months = new Map<string, number>()
      let [count, meters] = [0, 0]
      for (const ride of rides.filter(keeps)) {
        count++
        meters += ride.distance ?? 0
        if (ride.started_at === null) continue
        const month = ride.started_at.slice(0, 7)
        months.set(month, (months.get(month) ?? 0) + (ride.distance ?? 0))
      }
      expect([query, answer.rides, answer.distance]).toEqual([query, count, Math.round(meters / 160.9) / 10])
      expect(answer.months.map(({ month, distance }: Record<string, unknown>) => [month, distance])).toEqual(
        [...months]
          .toSorted(([a], [b]) => (a < b ? 1 : -1))
          .map(([month, distance]) => [month, Math.round(distance / 160.9) / 10]),
      )
      expect(count).toBeGreaterThan(0)
    }
  })

  test('spending and checks say what the screens say', async () => {
    const period = { from: '2024-02-10', to: '2025-01-20' }
    const { data } = await owner.functions.invoke('spending', { body: period })
    const answer = answerOf('spending', await call(`/v1/spending?${new URLSearchParams(period)}`))
    expect([answer.cost, answer.this_year]).toEqual([data.period.total.cost, data.this_year])
    expect(answer.bikes.map(({ id, cost }: Record<string, number>) => [id, cost])).toEqual(
      data.period.bikes.map(({ gear_id, cost }: Record<string, number>) => [gear_id, cost]),
    )
    const { data: items } = await owner.from('maintenance').select('cost, dateStarted').throwOnError()
    const months = new Map<string, number>()
    for (const { cost, dateStarted } of items as { cost: number; dateStarted: string }[]) {
      const day = dateStarted.slice(0, 10)
      if (cost === 0 || day < period.from || day > period.to) continue
      months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + Math.round(cost * 100))
    }
    expect(
      answer.months.map(({ month, cost }: { month: string; cost: number }) => [
        month,
        Math.round(cost * 100),
      ]),
    ).toEqual([...months].toSorted(([a], [b]) => (a < b ? 1 : -1)))
    expect(months.size).toBeGreaterThan(3)

    const { data: found } = await owner.functions.invoke('to-check', { body: {} })
    const { checks } = answerOf('list_checks', await call('/v1/checks'))
    expect(checks.map(({ kind }: { kind: string }) => kind)).toEqual(
      found.lines.map(({ kind }: { kind: string }) => kind),
    )
    expect(checks.length).toBeGreaterThan(0)
    for (const { title, why } of checks) {
      expect(title).toMatch(/\S/)
      expect(why).toMatch(/[^.]\.$/)
    }
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
    const entryOf = async (id: number) =>
      answerOf('list_entries', await call('/v1/log?limit=500')).entries.find(
        ({ part_id, ended_on }: { part_id: number; ended_on: string | null }) =>
          part_id === id && ended_on === null,
      )
    const linked = await api.send('PATCH', `/v1/log/${(await entryOf(part.id)).id}`, {
      link: 'https://shop.example/old',
    })
    changes.push(answerOf('edit_entry', linked).change)
    const replaced = answerOf(
      'replace_part',
      await post(`/v1/parts/${part.id}/replace`, { name: 'Waxed chain', cost: 42.5 }),
    )
    const successor = await entryOf(replaced.part_id)
    expect(successor.link).toBeNull()
    const link = 'https://shop.example/new'
    changes.push(answerOf('edit_entry', await api.send('PATCH', `/v1/log/${successor.id}`, { link })).change)
    const moved = answerOf(
      'move_part',
      await post(`/v1/parts/${replaced.part_id}/move`, { bike: bikes[1].id }),
    )
    expect(moved.part_id).toBe(replaced.part_id)
    expect(await entryOf(moved.part_id)).toMatchObject({ bike: bikes[1].name, link })
    const { parts } = (await call(`/v1/parts?bike=${bikes[1].id}`)).body
    expect(parts.at(-1)).toMatchObject({
      id: moved.part_id,
      name: 'Waxed chain',
      cost: 42.5,
      bike: bikes[1].name,
    })
    for (const change of [moved.change, changes.pop(), replaced.change, ...changes.toReversed()])
      answerOf('undo', await post('/v1/undo', { change }))
    expect(await everything()).toEqual(before)
  })

  test('entries are added, edited and removed, with their undo', async () => {
    const [{ id: bike }] = (await call('/v1/bikes')).body.bikes
    const list = async () => answerOf('list_entries', await call(`/v1/log?bike=${bike}&limit=500`)).entries
    const before = await list()
    const today = new Date().toISOString().slice(0, 10)
    const added = answerOf(
      'add_entry',
      await post('/v1/log', { bike, name: 'Shimano PD-M8100', type: 'Pedals', cost: 115 }),
    )
    const entry = (await list()).find(({ id }: { id: number }) => id === added.entry_id)
    expect(entry).toMatchObject({
      name: 'Shimano PD-M8100',
      type: 'Pedals',
      cost: 115,
      part_id: added.part_id,
      ended_on: null,
    })
    expect(Math.abs(Date.parse(entry.started_on) - Date.parse(today))).toBeLessThanOrEqual(86_400_000)

    const path = `/v1/log/${added.entry_id}`
    const day = '2024-05-01'
    const edited = answerOf(
      'edit_entry',
      await api.send('PATCH', path, {
        started_on: day,
        description: 'Spare',
        link: 'https://shop.example/pedals',
        cost: 99.5,
        ended_on: '2024-06-01',
        ended_as: 'stored',
      }),
    )
    const find = async () => (await list()).find(({ id }: { id: number }) => id === added.entry_id)
    expect(await find()).toMatchObject({
      name: 'Shimano PD-M8100',
      started_on: day,
      description: 'Spare',
      link: 'https://shop.example/pedals',
      cost: 99.5,
      ended_on: '2024-06-01',
      ended_as: 'stored',
    })
    expect(answerOf('list_entries', await call('/v1/log?text=shop.example')).entries).toHaveLength(1)
    for (const link of NOT_LINKS) {
      const { status, body } = await api.send('PATCH', path, { link })
      expect([link, status, body.message]).toEqual([
        link,
        422,
        expect.stringMatching(/^link: Enter a link that/),
      ])
    }
    answerOf('edit_entry', await api.send('PATCH', path, { ended_on: null, description: null }))
    expect(await find()).toMatchObject({ ended_on: null, ended_as: null, description: null })
    const same = answerOf('edit_entry', await api.send('PATCH', path, { cost: 99.5 }))
    expect(same.change).toBeNull()

    const removed = answerOf('remove_entry', await api.send('DELETE', path))
    expect(await list()).toEqual(before)
    expect(errorOf(await api.send('DELETE', path))).toEqual([404, 'unknown_item'])
    expect(errorOf(await api.send('PATCH', path, { cost: 1 }))).toEqual([404, 'unknown_item'])
    answerOf('undo', await post('/v1/undo', { change: removed.change }))
    expect(await find()).toMatchObject({ cost: 99.5 })
    answerOf('undo', await post('/v1/undo', { change: edited.change }))
    expect(await find()).toMatchObject({ cost: 115, started_on: entry.started_on })
    answerOf('undo', await post('/v1/undo', { change: added.change }))
    expect(await list()).toEqual(before)
  })

  test('tasks are added, edited, done and removed, with their undo', async () => {
    const before = await everything()
    const [{ id: part }] = (await call('/v1/parts')).body.parts
    const added = answerOf(
      'add_task',
      await post('/v1/tasks?units=km', { part, name: 'Wax chain', every_distance: 300, every_hours: 2.5 }),
    )
    const find = async () =>
      (await call('/v1/tasks?units=km')).body.tasks.find(({ id }: { id: number }) => id === added.task_id)
    // Counts from today.
    expect(await find()).toMatchObject({
      part_id: part,
      every_distance: 300,
      every_hours: 2.5,
      every_days: null,
      state: 'ok',
      used_days: 0,
    })
    const path = `/v1/tasks/${added.task_id}`
    answerOf(
      'edit_task',
      await api.send('PATCH', `${path}?units=km`, { every_distance: 250, every_hours: null, name: 'Wax' }),
    )
    expect(await find()).toMatchObject({ every_distance: 250, every_hours: null, name: 'Wax' })
    const refused = await api.send('PATCH', path, { every_distance: null })
    expect(errorOf(refused)).toEqual([422, 'invalid_value'])
    expect(refused.body.message).toMatch(/^every_distance: /)

    const done = []
    for (const [day, note] of [
      ['2026-01-05', 'Drip'],
      ['2026-02-05', 'Hot'],
      ['2026-03-05', 'Drip'],
    ] as const)
      done.push(answerOf('mark_done', await post(`${path}/done`, { day, note, cost: 8 })).event_id)
    const history = answerOf('task_history', await call(`${path}/history`))
    expect(history.services.map(({ id }: { id: number }) => id)).toEqual(done.toReversed())
    expect(history.services[1]).toMatchObject({
      done_on: '2026-02-05',
      note: 'Hot',
      cost: 8,
      part_id: part,
      task: 'Wax',
    })
    const page = answerOf('task_history', await call(`${path}/history?limit=2`))
    expect(page.next).toBe(done[1])
    const rest = answerOf('task_history', await call(`${path}/history?limit=2&after=${page.next}`))
    expect([...page.services, ...rest.services, rest.next]).toEqual([...history.services, null])
    const bike = history.services[0].bike_id
    const services = answerOf(
      'list_services',
      await call(`/v1/services?bike=${bike}&from=2026-02-01&to=2026-02-28`),
    )
    expect(services.services).toContainEqual(history.services[1])
    expect(services.services.every(({ done_on }: { done_on: string }) => done_on.startsWith('2026-02'))).toBe(
      true,
    )
    expect(errorOf(await call('/v1/tasks/999999/history'))).toEqual([404, 'unknown_task'])

    const { change } = answerOf('remove_task', await api.send('DELETE', path))
    expect(await find()).toBeUndefined()
    expect(errorOf(await api.send('DELETE', path))).toEqual([404, 'unknown_task'])
    answerOf('undo', await post('/v1/undo', { change }))
    expect(answerOf('task_history', await call(`${path}/history`))).toEqual(history)
    const { data: written } = await owner
      .from('changes')
      .select('id, change')
      .order('id', { ascending: false })
      .limit(100)
      .throwOnError()
    const changes = [...new Set(written.map((row) => row.change))]
    for (const done of changes.slice(0, changes.indexOf(added.change) + 1)) {
      await post('/v1/undo', { change: done })
    }
    expect(await everything()).toEqual(before)
  })

  test('sync answers with its counts', async () => {
    const synced = answerOf('sync_rides', await post('/v1/sync', {}))
    expect(synced).toMatchObject({ added: 0, changed: 0, removed: 0, skipped: 0, mismatch: null })
    expect(synced.fetched).toBeGreaterThan(100)
    const { data } = await owner
      .from('ride_syncs')
      .select('triggered_by')
      .order('id', { ascending: false })
      .limit(1)
      .throwOnError()
    expect(data).toMatchObject([{ triggered_by: 'owner' }])
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
    ['an unknown bike', '/v1/log', { bike: 1, name: 'Bell' }, 422, 'invalid_value'],
    ['an unknown bike', '/v1/tasks', { bike: 1, name: 'Wash', every_days: 7 }, 422, 'invalid_value'],
    ['an unknown part', '/v1/tasks', { part: 999999, name: 'Wax', every_days: 7 }, 422, 'invalid_value'],
    [
      'a part and a bike',
      '/v1/tasks',
      { part: 1, bike: 1, name: 'Wax', every_days: 7 },
      422,
      'invalid_value',
    ],
    ['a task without a limit', '/v1/tasks', { bike: 1, name: 'Wash' }, 422, 'invalid_value'],
    ['no name', '/v1/log', { bike: 1, name: ' ' }, 422, 'invalid_value'],
    ['a long name', '/v1/log', { bike: 1, name: 'x'.repeat(1001) }, 422, 'invalid_value'],
    ['a day of year 0', '/v1/log', { bike: 1, name: 'Bell', started_on: '0000-01-01' }, 422, 'invalid_value'],
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
  const writes = COMMANDS.filter(({ isWrite, path }) => isWrite && path !== null).map(
    ({ method, path }): [string, string] => [method, path!.replace('{id}', '1')],
  )

  test.each(writes)('a read token may not %s %s, whatever the body', async (method, path) => {
    for (const body of [{}, { nonsense: true }])
      expect(errorOf(await api.send(method, path, body, { token: reader }))).toEqual([403, 'forbidden'])
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
    const token = await api.create('read')
    expect((await call('/v1/summary', {}, token)).status).toBe(200)
    const { data } = await owner.rpc('tokens')
    const [{ id }] = (data as { tokens: { id: number }[] }).tokens as [{ id: number }]
    await owner.rpc('revoke_token', { token_id: id })
    expect(errorOf(await call('/v1/summary', {}, token))).toEqual([401, 'unauthorized'])
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
