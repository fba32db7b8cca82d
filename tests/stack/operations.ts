// Tries every operation of the API, which are also the tools of assistants: it answers, other reads show what it wrote, and Undo
// takes it back.
import { expect } from 'vitest'

// eslint-disable-next-line typescript/no-explicit-any -- each example knows its answers
type Answer = any
/** Runs an operation by its name and validates the answer. */
export type Run = (name: string, input: object) => Promise<Answer>

/** Ids in the sample: two bikes, a chain of the first one, a front tire, its most urgent task, and an entry that nothing depends on. */
export interface Ids {
  bike: number
  otherBike: number
  part: number
  tire: number
  task: number
  otherTask: number
  entry: number
  /** A picture of the entry. */
  file: number
}

/** Adds a picture to an entry. Only the API takes files. */
export type AddFile = (entry: number) => Promise<number>

interface Example {
  input: object
  /** Reads that show what was written. */
  shows?: (answer: Answer) => [read: string, input: object, shown: object][]
}

export async function readIds(run: Run, addFile: AddFile): Promise<Ids> {
  const [{ id: bike }, { id: otherBike }] = (await run('list_bikes', {})).bikes
  const { parts } = await run('list_parts', { bike })
  const [{ id: task }, { id: otherTask }] = (await run('list_tasks', {})).tasks
  const { entry_id: entry } = await run('add_entry', { bike, name: 'Spare bell' })
  const { id: part } = parts.find(({ kind }: Answer) => kind === 'chain')
  const all = (await run('list_parts', {})).parts
  const { id: tire } = all.find(
    (one: Answer) => one.kind === 'tire' && one.position === 'front' && one.bike_id,
  )
  return { bike, otherBike, part, tire, task, otherTask, entry, file: await addFile(entry) }
}

const has = (row: object): unknown => expect.arrayContaining([expect.objectContaining(row)])
const lacks = (row: object): unknown => expect.not.arrayContaining([expect.objectContaining(row)])

const WHOLE_LOG = { limit: 500 }
const EDIT = {
  started_on: '2024-05-01',
  description: 'In the basement',
  link: 'https://shop.example/bell',
  cost: 99.5,
  ended_on: '2024-06-01',
  ended_as: 'stored',
}

export const examples = ({
  bike,
  otherBike,
  part,
  tire,
  task,
  otherTask,
  entry,
  file,
}: Ids): Record<string, Example> => ({
  summary: { input: { units: 'km' } },
  list_due: { input: {} },
  list_tasks: { input: { bike } },
  mark_done: {
    input: { id: task, cost: 12, note: 'Hot', also_done: [task, otherTask] },
    shows: ({ event_id: id }) => [
      ['task_history', { id: otherTask }, { services: has({ task_id: otherTask, cost: null }) }],
      ['list_tasks', {}, { tasks: has({ id: task, state: 'ok', used_distance: 0 }) }],
      ['task_history', { id: task }, { services: has({ id, task_id: task, note: 'Hot', cost: 12 }) }],
    ],
  },
  snooze: {
    input: { id: task, distance: 25, units: 'km' },
    shows: () => [['list_tasks', {}, { tasks: has({ id: task, state: 'snoozed' }) }]],
  },
  add_task: {
    input: {
      parts: [part, tire],
      name: 'Wipe',
      once: true,
      due_on: '2099-01-01',
      every_distance: 300,
      units: 'km',
    },
    // It counts from today.
    shows: ({ task_id: id, task_ids: [, other] }) =>
      [part, tire].map((part_id, index) => [
        'list_tasks',
        { units: 'km' },
        {
          tasks: has({
            id: [id, other][index],
            part_id,
            group: id,
            once: true,
            due_on: '2099-01-01',
            left_distance: 300,
            every_days: null,
          }),
        },
      ]),
  },
  edit_task: {
    input: { id: task, name: 'Wax it', every_days: 45, clear: ['every_distance'] },
    shows: () => [
      ['list_tasks', {}, { tasks: has({ id: task, name: 'Wax it', every_days: 45, every_distance: null }) }],
    ],
  },
  remove_task: {
    input: { id: task },
    shows: () => [['list_tasks', {}, { tasks: lacks({ id: task }) }]],
  },
  list_bikes: { input: {} },
  list_parts: { input: { bike } },
  part_lifetimes: { input: { kind: 'chain' } },
  replace_part: {
    input: { id: part, name: 'Waxed', cost: 42.5 },
    shows: ({ part_id: id }) => [
      ['list_parts', { bike }, { parts: has({ id, name: 'Waxed', type: 'Drivetrain', cost: 42.5 }) }],
      ['list_entries', WHOLE_LOG, { entries: has({ part_id: part, ended_as: 'worn' }) }],
    ],
  },
  move_part: {
    input: { id: part, bike: otherBike, replaces: [] },
    shows: () => [
      ['list_parts', { bike: otherBike }, { parts: has({ id: part, bike_id: otherBike }) }],
      ['list_entries', { ...WHOLE_LOG, bike }, { entries: has({ part_id: part, ended_as: 'moved' }) }],
    ],
  },
  rotate: {
    input: { id: tire, without_words: true },
    shows: ({ parts: [{ id, name, position }] }) => [
      ['list_parts', {}, { parts: has({ id, name, position, by_position: expect.anything() }) }],
    ],
  },
  set_kind: {
    input: { id: tire, kind: 'tube', position: 'both' },
    shows: () => [['list_parts', {}, { parts: has({ id: tire, kind: 'tube', position: 'both' }) }]],
  },
  add_measurement: { input: { id: part, value: 0.5, unit: 'chain %' } },
  list_entries: { input: { bike, limit: 2 } },
  add_entry: {
    input: { bike, name: 'Shimano PD-M8100', type: 'Pedals', cost: 115 },
    shows: ({ entry_id: id, part_id }) => [
      [
        'list_entries',
        { text: 'pd-m81' },
        { entries: [{ id, part_id, type: 'Pedals', cost: 115, ended_on: null }] },
      ],
    ],
  },
  edit_entry: {
    input: { id: entry, ...EDIT },
    shows: () => [
      ['list_entries', { text: 'shop.example/bell' }, { entries: [{ name: 'Spare bell', ...EDIT }] }],
    ],
  },
  list_files: { input: { id: entry } },
  add_file: { input: { id: entry, name: 'Bell.webp' } },
  get_file: { input: { id: file } },
  remove_file: {
    input: { id: file },
    shows: () => [['list_files', { id: entry }, { files: [] }]],
  },
  remove_entry: {
    input: { id: entry },
    shows: () => [['list_entries', WHOLE_LOG, { entries: lacks({ id: entry }) }]],
  },
  list_services: { input: { from: '2024-01-01', limit: 2 } },
  task_history: { input: { id: task } },
  ride_totals: { input: { from: '2024-01-01' } },
  sync_rides: { input: {} },
  spending: { input: { from: '2024-01-01', units: 'km' } },
  list_checks: { input: {} },
  list_history: { input: { limit: 2 } },
})

async function everything(run: Run): Promise<object[]> {
  const reads = ['list_entries', 'list_services', 'list_tasks', 'list_parts', 'list_bikes'] as const
  return Promise.all(reads.map((name) => run(name, /entries|services/.test(name) ? WHOLE_LOG : {})))
}

/** Tries the operations with these names, and takes back what they write. Returns the names of those that it tried. */
export async function tryOperations(run: Run, names: readonly string[], addFile: AddFile): Promise<string[]> {
  const known = examples(await readIds(run, addFile))
  const tried: string[] = []
  async function tryOne(name: string) {
    const { input, shows } = known[name]!
    tried.push(name)
    const answer = await run(name, input)
    for (const [read, query, shown] of shows?.(answer) ?? [])
      expect([name, await run(read, query)]).toMatchObject([name, shown])
    const { change } = answer
    if (change === undefined) return
    expect((await run('undo', { change })).restored).toBeGreaterThan(0)
    expect(await run('undo', { change })).toMatchObject({ restored: 0, change: null })
  }
  // Syncing comes before what is compared, because it may bring a ride that has just ended.
  if (names.includes('sync_rides')) await tryOne('sync_rides')
  const before = await everything(run)
  for (const name of names) if (!['undo', 'sync_rides'].includes(name)) await tryOne(name)
  expect(await everything(run)).toEqual(before)
  return tried
}
