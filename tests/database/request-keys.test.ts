import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDataApi, type DataApi } from './data-api.ts'
import { DELETE_ROWS } from './databases.ts'
import { everything, headersOf, send } from './requests.ts'

// Supabase Lite prints every statement that PostgreSQL rejects.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

let api: DataApi
beforeAll(async () => {
  api = await openDataApi()
})
afterAll(() => api.close())
beforeEach(() =>
  api.database.run(`
    ${DELETE_ROWS}; delete from private.requests;
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel');
    insert into public.maintenance (id, "bikeId", type, name, "dateStarted")
    values (101, 1, 'Drivetrain', 'Chain', '2024-01-01 01:00'), (102, 1, 'Wheels', 'Wheels', '2024-01-01 01:00'),
      (103, 1, 'Tires', 'Tires', '2024-01-01 01:00');
    select setval('public.maintenance_id_seq', greatest(nextval('public.maintenance_id_seq'), 1000))`),
)

async function call(name: string, args: object) {
  const owner = headersOf('owner', api)
  const response = await send(api, `POST rpc/${name} ${JSON.stringify(args)}`, owner)
  return { status: response.status, body: await response.json() }
}
const expectUnchanged = async (work: () => Promise<void>) => {
  const before = await everything(api)
  await work()
  expect(await everything(api)).toBe(before)
}
const log = async () =>
  (
    await api.database.run(
      'select "bikeId", name, cost, "dateStarted", "dateEnded", ended_as from public.maintenance order by id',
    )
  )[0]!

const takeOff = (ended_as: string, ...ids: number[]) => ids.map((id) => ({ id, ended_as }))
const replaceChain = {
  day: '2024-03-01',
  take_off: takeOff('worn', 101),
  put_on: [{ replaces: 101, name: 'A', cost: 30 }],
}
const moveWheels = (day: string, ...ids: number[]) => ({
  day,
  take_off: takeOff('moved', ...ids),
  put_on: ids.map((part_of) => ({ bikeId: 2, part_of })),
})
const storeWheels = (day: string, ...ids: number[]) => ({
  day,
  take_off: takeOff('stored', ...ids),
  put_on: [],
})

const change = (content: object, request_key: string) =>
  call('change_parts', { change: { request_key, ...content } })

describe('change_parts', () => {
  test.each([
    ['a replacement', replaceChain],
    ['a move', moveWheels('2024-03-01', 102, 103)],
    ['a part that is stored', storeWheels('2024-03-01', 102)],
  ])('repeats the answer to %s, even after an edit', async (_what, content) => {
    const key = randomUUID()
    const first = await change(content, key)
    await api.database.run(`update public.maintenance set description = 'Edited'`)
    await expectUnchanged(async () => expect(await change(content, key)).toEqual(first))
    expect(first.status).toBe(200)
  })

  test.each([
    [
      'a replacement with another name and cost',
      replaceChain,
      { ...replaceChain, put_on: [{ replaces: 101, name: 'B', cost: 55 }] },
    ],
    ['a move on another day', moveWheels('2024-03-01', 102), moveWheels('2024-05-01', 102)],
    [
      'a part that is stored without another',
      storeWheels('2024-03-01', 102, 103),
      storeWheels('2024-03-01', 102),
    ],
  ])('rejects %s, then accepts it with instead_of', async (_what, content, other) => {
    const [key, next] = [randomUUID(), randomUUID()]
    const first = await change(content, key)
    await expectUnchanged(async () => {
      const { status, body } = await change(other, key)
      expect({ status, body }).toEqual({
        status: 409,
        body: { code: 'RMT07', message: expect.stringMatching(/\w/) as string, stored: first.body },
      })
    })

    expect((await change({ ...other, instead_of: key }, next)).status).toBe(200)
    const changed = await log()
    expect((await change({ ...other, instead_of: key }, next)).status).toBe(200)
    expect(await log()).toEqual(changed)
    // Undoing the new version leads back to the log before both versions.
    const { body } = await change({ ...other, instead_of: key }, next)
    expect(await call('undo', { change: body.change })).toMatchObject({ body: { conflicts: [] } })
    await change(other, randomUUID())
    expect(await log()).toEqual(changed)
  })

  test('changes nothing if the change to replace was edited since or is unknown', async () => {
    const key = randomUUID()
    await change(replaceChain, key)
    const instead = { ...replaceChain, put_on: [{ replaces: 101, name: ' ', cost: 55 }], instead_of: key }
    await expectUnchanged(async () =>
      expect((await change(instead, randomUUID())).body).toMatchObject({ code: '23514' }),
    )
    await api.database.run(`update public.maintenance set cost = 31 where name = 'A'`)
    await expectUnchanged(async () =>
      expect((await change(instead, randomUUID())).body).toMatchObject({ code: 'RMT11' }),
    )
    await expectUnchanged(async () =>
      expect((await change({ ...replaceChain, instead_of: randomUUID() }, randomUUID())).body).toMatchObject({
        code: 'RMT11',
      }),
    )
  })

  test.each([
    ['a replacement', replaceChain],
    ['a part that is stored', storeWheels('2024-03-01', 102)],
  ])('repeats %s if it was undone elsewhere', async (_what, content) => {
    const key = randomUUID()
    const { body: changed } = await change(content, key)
    const after = await log()
    expect(changed.change).toBe(key)
    await call('undo', { change: key })
    const again = await change(content, key)
    expect(await log()).toEqual(after)
    // The key still names the first change. The repeated request answers with the name of its own.
    expect(again.body.change).not.toBe(key)
    expect(await call('undo', { change: again.body.change })).toMatchObject({ body: { conflicts: [] } })
  })
})

const chain = {
  type: 'Drivetrain',
  name: 'Chain',
  cost: 30,
  day: '2024-01-01',
  earlier_distance: 1_930_800,
  tasks: [{ name: 'Wax', every_distance: 482_700 }],
}
const saddle = { name: 'Saddle', day: '2024-01-01' }
const setUp = (request_key: string, parts: object[] = [chain, saddle], more: object = {}) =>
  call('set_up_bike', { request_key, gear_id: 2, parts, ...more })

describe('set_up_bike', () => {
  test('adds everything once, even if two requests arrive at the same time', async () => {
    const key = randomUUID()
    const [first, second] = await Promise.all([setUp(key), setUp(key)])
    expect(first).toEqual(second)
    expect(first).toMatchObject({ status: 200, body: { items: [{ name: 'Chain' }, { name: 'Saddle' }] } })
    await expectUnchanged(async () => expect(await setUp(key)).toEqual(first))
  })

  test('rejects other parts, then accepts them with instead_of', async () => {
    const [key, next] = [randomUUID(), randomUUID()]
    const { body: stored } = await setUp(key)
    const dearer = [{ ...chain, cost: 55 }]
    await expectUnchanged(async () =>
      expect(await setUp(key, dearer)).toMatchObject({ status: 409, body: { code: 'RMT07', stored } }),
    )
    const before = await log()
    const instead = await setUp(next, dearer, { instead_of: key })
    expect(instead).toMatchObject({ status: 200, body: { items: [{ cost: 55 }] } })
    expect(await setUp(next, dearer, { instead_of: key })).toEqual(instead)
    expect(await log()).toHaveLength(before.length - 1)
    expect((await tasks()).map(({ name }) => name)).toEqual(['Wax'])
    await expectUnchanged(async () =>
      expect(await setUp(randomUUID(), dearer, { instead_of: key })).toMatchObject({
        body: { code: 'RMT11' },
      }),
    )
  })

  test('adds everything again if it was undone elsewhere', async () => {
    const key = randomUUID()
    await setUp(key)
    expect(await call('undo', { change: key })).toMatchObject({ body: { restored: 3 } })
    expect(await log()).toHaveLength(3)
    expect((await setUp(key)).status).toBe(200)
    expect(await log()).toHaveLength(5)
  })
})

const wax = (request_key: string, more: object = {}) => ({
  task: { gear_id: 1, name: 'Wax', kind: 'service', every_distance: 300_000, request_key, ...more },
})
const tasks = async () =>
  (
    await api.database.run(`
      select name, every_distance::float, done_at::date::text as done
      from public.service_tasks as task left join public.service_events on task_id = task.id order by task.id`)
  )[0]!

describe('service tasks', () => {
  test.each([
    ['another limit', wax, { every_distance: 500_000 }, {}],
    ['another last day', wax, {}, { last_done: '2024-05-01' }],
    ['no last day', wax, {}, { last_done: undefined }],
  ])('rejects a task with %s, then accepts it with instead_of', async (_what, task, more, other) => {
    const [key, next] = [randomUUID(), randomUUID()]
    const first = { ...task(key), last_done: '2024-03-01' }
    const { status, body: stored } = await call('add_service_task', first)
    expect({ status, again: await call('add_service_task', first) }).toEqual({
      status: 200,
      again: { status, body: stored },
    })
    await expectUnchanged(async () =>
      expect(await call('add_service_task', { ...first, ...task(key, more), ...other })).toMatchObject({
        status: 409,
        body: { code: 'RMT07', stored },
      }),
    )
    const instead = { ...first, ...task(next, more), ...other, instead_of: key }
    expect((await call('add_service_task', instead)).status).toBe(200)
    expect((await call('add_service_task', instead)).status).toBe(200)
    const { every_distance } = { every_distance: 300_000, ...more }
    const { last_done } = { last_done: '2024-03-01', ...other }
    expect(await tasks()).toEqual([{ name: 'Wax', every_distance, done: last_done ?? null }])
  })

  test('does not replace a task that was done since', async () => {
    const key = randomUUID()
    const { body } = await call('add_service_task', wax(key))
    await call('mark_service_done', { task_id: body.tasks[0].id })
    await expectUnchanged(async () =>
      expect((await call('add_service_task', { ...wax(randomUUID()), instead_of: key })).body).toMatchObject({
        code: 'RMT11',
      }),
    )
  })

  test('adds a task again if it was removed elsewhere', async () => {
    const key = randomUUID()
    const { body } = await call('add_service_task', wax(key))
    await call('run_command', { command: 'remove_task', arguments: { task_id: body.tasks[0].id } })
    expect((await call('add_service_task', wax(key))).status).toBe(200)
    expect(await tasks()).toHaveLength(1)
  })

  test('marks a day done once, and rejects another cost or note', async () => {
    const { body } = await call('add_service_task', wax(randomUUID()))
    const done = { task_id: body.tasks[0].id, done_on: '2024-03-01', cost: 12.5, note: 'Drip' }
    const first = await call('mark_service_done', done)
    await expectUnchanged(async () => {
      for (const again of [done, { ...done, cost: null, note: null }]) {
        expect(await call('mark_service_done', again)).toMatchObject({
          body: { id: first.body.id, change: null },
        })
      }
      for (const other of [{ cost: 15 }, { note: 'Hot' }]) {
        expect(await call('mark_service_done', { ...done, ...other })).toMatchObject({
          status: 409,
          body: { code: 'PT409' },
        })
      }
    })
  })

  test('moves tasks that were also done to the corrected day, and unmarks them', async () => {
    const [first, second] = [
      await call('add_service_task', wax(randomUUID())),
      await call('add_service_task', wax(randomUUID())),
    ]
    const [id, other] = [first.body.tasks[0].id, second.body.tasks[0].id]
    const { body } = await call('mark_service_done', { task_id: id, done_on: '2024-03-01' })
    const correct = (done_on: string, also_done: number[], not_done: number[] = []) =>
      call('correct_service_event', {
        event_id: body.id,
        shown: {},
        wanted: { done_on },
        also_done,
        not_done,
      })
    await correct('2024-03-02', [other])
    await correct('2024-03-03', [other])
    expect((await tasks()).map(({ done }) => done)).toEqual(['2024-03-03', '2024-03-03'])
    await correct('2024-03-03', [], [other])
    expect((await tasks()).map(({ done }) => done)).toEqual(['2024-03-03', null])
  })
})

const withHeader = async (method: string, request: string, change: string) => {
  const headers = { ...headersOf('owner', api), 'x-change': change }
  const response = await send(api, `${method} ${request}`, headers)
  return { status: response.status, body: await response.json() }
}
const edit = (shown: object, wanted: object, change: string = randomUUID()) =>
  withHeader(
    'POST',
    `rpc/edit_row ${JSON.stringify({ relation: 'maintenance', row_id: 101, shown, wanted })}`,
    change,
  )

describe('the header x-change', () => {
  test('names a change, whose Undo needs no answer', async () => {
    const [edited, deleted] = [randomUUID(), randomUUID()]
    const before = await log()
    await withHeader('PATCH', 'maintenance?id=eq.101 {"name": "KMC"}', edited)
    await withHeader('DELETE', 'maintenance?id=eq.102', deleted)
    for (const change of [deleted, edited]) {
      expect(await call('undo', { change })).toMatchObject({ body: { restored: 1 } })
    }
    expect(await log()).toEqual(before)
  })

  test('gets the same answer again, and is refused if it is no UUID', async () => {
    const change = randomUUID()
    const first = await edit({ cost: 0 }, { cost: 5 }, change)
    expect(first).toMatchObject({ status: 200, body: { change, row: { cost: 5 } } })
    await expectUnchanged(async () => {
      expect(await edit({ cost: 0 }, { cost: 5 }, change)).toEqual(first)
      expect(await edit({ cost: 0 }, { cost: 5 })).toMatchObject({ body: { change: null, row: { cost: 5 } } })
      expect(await edit({ cost: 5 }, { cost: 6 }, 'no-uuid')).toMatchObject({
        status: 400,
        body: { code: '22P02' },
      })
    })
  })
})

describe('a form', () => {
  test('that is stale changes nothing, and gets what is stored', async () => {
    await edit({ cost: 0 }, { cost: 5 })
    await expectUnchanged(async () =>
      expect(await edit({ cost: 0, name: 'Chain' }, { cost: 7, name: 'KMC' })).toMatchObject({
        status: 409,
        body: { code: 'RMT31', stored: { cost: 5, name: 'Chain' } },
      }),
    )
    expect((await edit({ cost: 0, name: 'Chain' }, { name: 'KMC' })).body).toMatchObject({
      row: { cost: 5, name: 'KMC' },
    })
    expect((await edit({}, { dateEnded: '2024-05-01T01:00:00', ended_as: 'worn' })).status).toBe(200)
  })

  test('about a service keeps the cost that another device added', async () => {
    const { body: task } = await call('add_service_task', { ...wax(randomUUID()), last_done: '2024-03-01' })
    const event_id = task.events[0].id
    const shown = { done_on: '2024-03-01', cost: null, note: null }
    const correct = (wanted: object) => call('correct_service_event', { event_id, shown, wanted })
    expect(await correct({ cost: 30 })).toMatchObject({ status: 200, body: { found: true } })
    await expectUnchanged(async () =>
      expect(await correct({ cost: 12 })).toMatchObject({
        status: 409,
        body: { code: 'RMT31', stored: { ...shown, cost: 30 } },
      }),
    )
    await correct({ note: 'Drip' })
    expect((await log()).at(-1)).toMatchObject({ name: 'Wax', cost: 30 })
  })

  test('adds a task to the successor of its part, and says so', async () => {
    const { body } = await change(replaceChain, randomUUID())
    const [part] = (await api.database.run('select part_id from public.maintenance where id = 101'))[0]!
    const added = await call(
      'add_service_task',
      wax(randomUUID(), { gear_id: null, part_id: part!['part_id'] }),
    )
    expect(added.body).toMatchObject({
      tasks: [{ part_id: body.added[0].part_id }],
      successor: { id: body.added[0].id, name: 'A' },
    })
  })
})
