import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Task, ServiceTasks } from '../../supabase/functions/_shared/contracts/service-tasks.ts'
import type { WriteInput, WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { checked } from '../contract.ts'
import { onlyWorld } from '../world.ts'
import { type DataApi, openDataApi } from './data-api.ts'
import { headersOf, send } from './requests.ts'

// Supabase Lite prints every statement that PostgreSQL rejects.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

let api: DataApi
beforeAll(async () => {
  api = await openDataApi()
})
afterAll(() => api.close())
beforeEach(() =>
  api.database.run(
    onlyWorld({
      bikes: ['Road', 'Gravel'],
      entries: [
        { part: 1, type: 'Tires', name: 'Front tire' },
        { part: 2, type: 'Tires', name: 'Rear tire' },
        { bike: 2, part: 3, type: 'Tires', name: 'Wide tire', from: '2024-02-01' },
        { part: 4, type: 'Drivetrain', name: 'Chain' },
      ],
      tasks: [{ part: 4, name: 'Check chain wear', kind: 'check', days: 30 }],
      lastId: 100,
    }),
  ),
)

async function run<Name extends WriteName>(command: Name, args: WriteInput<Name>) {
  const response = await send(
    api,
    `POST rpc/run_command ${JSON.stringify({ command, arguments: args })}`,
    headersOf('owner', api),
  )
  return { status: response.status, ...(await response.json()) }
}

async function due(): Promise<Task[]> {
  const response = await send(api, 'POST rpc/service_due {}', headersOf('owner', api))
  return checked(ServiceTasks, await response.json()).tasks.toSorted((a, b) => a.id - b.id)
}

const rows = async (query: string) => (await api.database.run(query)).at(-1)!
const events = () =>
  rows(`select task_id, done_at::date::text as day, note, cost from public.service_events as event
    left join public.maintenance as item on item.id = maintenance_id order by task_id`)

const daysDone = async () => (await events()).map(({ day, note }) => [day, note])
const measured = () =>
  rows('select value, unit, tool, "limit", measured_on::text from public.wear_measurements order by id')

/** Returns for each tire how many services were done together. */
const together = () =>
  Promise.all(
    [1, 2, 3].map(async (part_id) => {
      const sent = `POST rpc/service_history ${JSON.stringify({ part_id })}`
      const { events } = await (await send(api, sent, headersOf('owner', api))).json()
      return events.map((event: { together: number }) => event.together)
    }),
  )

/** Adds the sealant of all tires, and returns the tasks' ids. */
async function addSealant(): Promise<[number, number, number]> {
  const added = await run('add_task', { task: { name: 'Sealant', every_days: 90 }, parts: [1, 2, 3] })
  return added.answer.tasks.map(({ id }: { id: number }) => id)
}

describe('a task of several parts', () => {
  test('is added once to each, as one group and one change', async () => {
    const { answer, change } = await run('add_task', {
      task: { part_id: 2, name: 'Sealant', every_days: 90 },
      parts: [1, 2, 3],
      last_done: '2024-03-01',
    })
    const [first] = answer.tasks
    expect(answer.tasks.map(({ part_id, group }: Task) => [part_id, group])).toEqual([
      [2, first.id],
      [1, first.id],
      [3, first.id],
    ])
    expect(answer.events).toHaveLength(3)
    expect((await due()).filter(({ group }) => group === first.id)).toHaveLength(3)
    await run('undo', { change })
    expect(await due()).toHaveLength(1)
  })

  test('needs a part, and one that is known', async () => {
    const task = { name: 'Sealant', every_days: 90 }
    expect(await run('add_task', { task, parts: [] })).toMatchObject({ status: 422 })
    expect(await run('add_task', { task, parts: [1, 99] })).toMatchObject({ code: 'RMT23' })
    expect((await run('add_task', { task, parts: [1] })).answer.tasks[0].group).toBeNull()
    expect(await due()).toHaveLength(2)
  })

  test('is added to a successor once, if the replaced part is named, too', async () => {
    await run('replace_part', { part_id: 1, ended_as: 'worn', successor: { name: 'New tire' } })
    const [{ part_id } = { part_id: 0 }] = (await rows(
      `select part_id from public.maintenance where name = 'New tire'`,
    )) as { part_id: number }[]
    const { answer } = await run('add_task', {
      task: { name: 'Sealant', every_days: 9 },
      parts: [1, part_id, 2],
    })
    expect(answer.tasks.map((task: Task) => task.part_id)).toEqual([part_id, 2])
    expect(answer.successor).toMatchObject({ name: 'New tire' })
  })

  test('is done with one command, whose cost is booked once', async () => {
    const [front, rear, wide] = await addSealant()
    const { change } = await run('mark_done', {
      task_id: front,
      done_on: '2024-03-01',
      cost: 12,
      note: 'Orange Seal',
      also_done: [front, rear, wide, 1],
    })
    expect(await events()).toEqual([
      { task_id: 1, day: '2024-03-01', note: null, cost: null },
      { task_id: front, day: '2024-03-01', note: 'Orange Seal', cost: 12 },
      { task_id: rear, day: '2024-03-01', note: 'Orange Seal', cost: null },
      { task_id: wide, day: '2024-03-01', note: 'Orange Seal', cost: null },
    ])
    // A repeated press adds nothing, and what is new is added.
    const again = { task_id: rear, done_on: '2024-03-01' as const, also_done: [front, wide] }
    expect(await run('mark_done', again)).toMatchObject({ change: null })
    await run('undo', { change })
    expect(await events()).toEqual([])
  })

  test.each([
    ['is gone', [1, 99], 'PT422'],
    ['wasn’t installed yet', [3], 'RMT20'],
  ])('is not done at all if one %s', async (_case, others, code) => {
    const ids = await addSealant()
    const also_done = others.map((id) => ids[id - 1] ?? id)
    const answer = await run('mark_done', { task_id: ids[0], done_on: '2024-01-15', cost: 5, also_done })
    expect(answer).toMatchObject({ code })
    expect(await events()).toEqual([])
    expect(await rows('select id from public.maintenance where cost > 0')).toEqual([])
  })

  test('is edited, snoozed and removed alone or with its group', async () => {
    const ids = await addSealant()
    const [front, rear, wide] = ids
    const sealants = async () => (await due()).filter(({ id }) => ids.includes(id))
    const edit = (row_id: number, every_days: number, all?: boolean) =>
      run('edit_row', { relation: 'service_tasks', row_id, shown: {}, wanted: { every_days }, all })
    await edit(front, 60)
    await edit(rear, 30, true)
    expect((await sealants()).map(({ every }) => every.days)).toEqual([30, 30, 30])
    const { change } = await edit(rear, 20)
    expect((await sealants()).map(({ every }) => every.days)).toEqual([30, 20, 30])
    await run('undo', { change })

    await run('snooze', { task_id: wide, until: '2099-01-01', also: [front, rear] })
    expect((await sealants()).map(({ state }) => state)).toEqual(['snoozed', 'snoozed', 'snoozed'])
    await run('snooze', { task_id: wide })
    expect((await sealants()).map(({ snoozed_until }) => snoozed_until)).toEqual([
      '2099-01-01',
      '2099-01-01',
      null,
    ])

    await run('remove_task', { task_id: front })
    expect((await sealants()).map(({ id }) => id)).toEqual([rear, wide])
    await run('remove_task', { task_id: rear, all: true })
    expect(await sealants()).toEqual([])
    expect(await due()).toHaveLength(1)
  })

  test('has its events corrected and removed alone or together', async () => {
    const [front, rear, wide] = await addSealant()
    const { answer } = await run('mark_done', {
      task_id: front,
      done_on: '2024-03-01',
      note: 'A',
      also_done: [rear],
    })
    await run('mark_done', { task_id: wide, done_on: '2024-03-02' })
    expect(await together()).toEqual([[2], [2], [1]])
    const correct = (done_on: string, all: boolean) =>
      run('correct_event', { event_id: answer.id, shown: {}, wanted: { done_on }, also_done: [], all })
    await correct('2024-03-05', true)
    expect(await daysDone()).toEqual([
      ['2024-03-05', 'A'],
      ['2024-03-05', 'A'],
      ['2024-03-02', null],
    ])
    const { change } = await correct('2024-03-06', false)
    expect((await daysDone()).map(([day]) => day)).toEqual(['2024-03-06', '2024-03-05', '2024-03-02'])
    expect(await together()).toEqual([[1], [1], [1]])
    await run('undo', { change })
    await run('remove_event', { event_id: answer.id, all: true })
    expect(await daysDone()).toEqual([['2024-03-02', null]])
  })

  test('goes on with each part', async () => {
    const [front, rear] = await addSealant()
    await run('move_part', { part_id: 2, gear_id: 2, day: '2024-03-01', replaces: [] })
    await run('replace_part', { part_id: 1, ended_as: 'worn', successor: { name: 'New tire' } })
    const tasks = await due()
    expect(tasks.find(({ id }) => id === rear)).toMatchObject({ gear_id: 2, group: front })
    expect(tasks.find(({ id }) => id === front)).toMatchObject({ item_name: 'New tire', group: front })
  })
})

const addOnce = async (more: object) =>
  (await run('add_task', { task: { part_id: 4, name: 'Lengthen the chain', once: true, ...more } })) as {
    status: number
    code: string
    answer: { tasks: [{ id: number }] }
  }
const once = async () => (await due()).find((task) => task.once)

describe('a task that is done once', () => {
  test('is in no list once it is done, but in its history, and Undo brings it back', async () => {
    const { answer } = await addOnce({ due_on: '2024-05-01' })
    const { id } = answer.tasks[0]
    expect(await once()).toMatchObject({
      state: 'overdue',
      axis: 'days',
      every: { days: null },
      due_on: '2024-05-01',
    })
    const { change } = await run('mark_done', { task_id: id })
    expect(await once()).toBeUndefined()
    const services = await send(
      api,
      `POST rpc/run_command ${JSON.stringify({ command: 'services', arguments: { task_id: id } })}`,
      headersOf('owner', api),
    )
    expect((await services.json()).answer.services).toMatchObject([{ task: 'Lengthen the chain' }])
    // The same press again is answered, another day is refused.
    expect(await run('mark_done', { task_id: id })).toMatchObject({ status: 200, change: null })
    expect(await run('mark_done', { task_id: id, done_on: '2024-04-01' })).toMatchObject({ code: 'RMT25' })
    await run('undo', { change })
    expect(await once()).toMatchObject({ id })
  })

  test.each<[string, object]>([
    ['a limit', {}],
    ['no days to repeat', { every_days: 9 }],
    ['a task that is there', { with_task: 99 }],
  ])('needs %s', async (_case, limits) => {
    expect((await addOnce(limits)).status).toBeGreaterThanOrEqual(400)
    expect(await once()).toBeUndefined()
  })

  test('has a day or another task only if it doesn’t repeat, and no last day', async () => {
    const repeats = { part_id: 4, name: 'Wax', every_days: 9, due_on: '2024-05-01' }
    expect((await run('add_task', { task: repeats })).code).toBe('23514')
    const task = { part_id: 4, name: 'Bolt', once: true, due_on: '2024-05-01' }
    expect((await run('add_task', { task, last_done: '2024-03-01' })).code).toBe('PT422')
  })

  test('may wait for another task, which may be removed', async () => {
    await addOnce({ with_task: 1 })
    expect(await once()).toMatchObject({
      with_task: 1,
      with_task_name: 'Check chain wear',
      fraction: 0,
      state: 'ok',
    })
    await run('remove_task', { task_id: 1 })
    expect(await once()).toMatchObject({ with_task: 1, with_task_name: null })
  })

  test('goes on with its part, and is done by the replacement that it asked for', async () => {
    await addOnce({ every_distance: 1000 })
    await addOnce({ kind: 'replace', due_on: '2099-01-01', name: 'New chain for the tour' })
    const [{ id: replace } = { id: 0 }] = await rows(
      `select id from public.service_tasks where kind = 'replace'`,
    )
    await run('replace_part', { part_id: 4, ended_as: 'worn', successor: { name: 'KMC' } })
    expect((await due()).filter((task) => task.once)).toMatchObject([
      { name: 'Lengthen the chain', item_name: 'KMC' },
    ])
    expect(await events()).toMatchObject([{ task_id: replace }])
  })
})

describe('a check', () => {
  test('takes what it measured, as the last measurement did', async () => {
    const measurement = { value: 0.2, unit: 'chain %', tool: 'CC-4', limit: 0.5, measured_on: '2024-02-01' }
    expect(await run('mark_done', { task_id: 1, value: 0.3 })).toMatchObject({ status: 422 })
    await run('add_measurement', { part_id: 4, measurement })
    const done = { task_id: 1, done_on: '2024-03-01' as const, value: 0.35 }
    const { change } = await run('mark_done', done)
    // Repeated, it measures once.
    expect(await run('mark_done', done)).toMatchObject({ change: null })
    const before = { value: 0.2, unit: 'chain %', tool: 'CC-4', limit: 0.5, measured_on: '2024-02-01' }
    expect(await measured()).toEqual([before, { ...before, value: 0.35, measured_on: '2024-03-01' }])
    await run('undo', { change })
    expect(await measured()).toEqual([before])
    expect(await events()).toEqual([])
  })

  test('is done by a measurement, with one change', async () => {
    const measurement = { value: 0.2, unit: 'chain %', measured_on: '2024-03-01' }
    const { change } = await run('add_measurement', { part_id: 4, measurement, also_done: [1] })
    expect(await events()).toMatchObject([{ task_id: 1, day: '2024-03-01' }])
    await run('undo', { change })
    expect(await events()).toEqual([])
    expect(await rows('select id from public.wear_measurements')).toEqual([])
  })

  test('only takes a value if it is one', async () => {
    const { answer } = await run('add_task', { task: { part_id: 4, name: 'Wax', every_days: 9 } })
    await run('add_measurement', { part_id: 4, measurement: { value: 0.2, unit: 'chain %' } })
    expect(await run('mark_done', { task_id: answer.tasks[0].id, value: 0.3 })).toMatchObject({ status: 422 })
    expect(await events()).toEqual([])
  })
})
