// Runs two of the owner's writes at the same time, in both orders: the second one starts before the first one commits.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { onlyWorld } from '../world.ts'
import { OWNER, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)
const devices = [connect(database.url, 1), connect(database.url, 1)] as const
afterAll(() => Promise.all(devices.map((device) => device.end())))

const [REPLACED, ADDED, DONE] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const run = (command: string, args: object, key?: string) =>
  `select public.run_command('${command}', '${JSON.stringify(args)}'${key ? `, '${key}'` : ''}) as answer`
const replace = (key: string, name: string) =>
  run(
    'change_parts',
    {
      day: '2024-03-01',
      take_off: [{ id: 101, ended_as: 'worn' }],
      put_on: [{ replaces: 101, name }],
    },
    key,
  )
const addTask = (part_id: number, key: string) =>
  run('add_task', { task: { part_id, name: 'Lube', every_days: 9 } }, key)
const done = (task: string, more = {}) => `select public.run_command('mark_done', (jsonb_build_object(
    'task_id', (select id from public.service_tasks where name = '${task}')) || '${JSON.stringify(more)}')::json) as answer`
const undo = (change: string) => run('undo', { change })
const correct = (event_id: number, wanted: object) =>
  run('correct_event', { event_id, shown: { cost: null, note: null }, wanted, also_done: [] })
const install = (bikeId: number) =>
  run('change_parts', { day: '2024-03-01', take_off: [], put_on: [{ bikeId, part_of: 101 }] })
const setUp = (key: string) =>
  run('set_up_bike', { gear_id: 2, parts: [{ name: 'Saddle', day: '2024-01-01' }] }, key)

/** Puts a chain with a task that was done on bike 1. */
const LOG = onlyWorld({
  bikes: ['Road', 'Gravel'],
  entries: [{ id: 101, part: 101, name: 'Chain' }],
  tasks: [{ id: 101, part: 101, name: 'Wax', days: 30 }],
  events: [{ task: 101, at: '2024-02-01' }],
  lastId: 200,
})

const session = `set local role authenticated; select set_config('request.jwt.claim.sub', '${OWNER}', true)`
const asOwner = (sql: string) => database.run(`${session}; ${sql}`)
beforeEach(() => database.run(LOG))

const rowsOf = async (sql: string) => (await database.run(sql))[0]!

/** Returns 'ok', 'nothing' (answered, but nothing was written), or an error's code. */
async function outcomeOf(write: Promise<unknown>): Promise<string> {
  try {
    const rows = (await write) as {
      answer?: { code?: string; change?: string | null; answer?: { conflicts?: object[] } }
    }[][]
    const answer = rows.at(-1)?.[0]?.answer
    if (answer?.answer?.conflicts?.length) return 'conflict'
    return answer?.code ?? (answer && !answer.change ? 'nothing' : 'ok')
  } catch (error) {
    return (error as { code: string }).code
  }
}

/** Starts `second` before `first` commits. */
async function race(first: string, second: string): Promise<string[]> {
  const [one, other] = devices
  const [{ pid }] = (await other`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
  let late!: Promise<string>
  const early = one.begin(async (transaction) => {
    const rows = await transaction.unsafe(`${session}; ${first}`)
    late = outcomeOf(other.unsafe(`${session}; ${second}`))
    // Wait until the second one waits.
    for (let isWaiting = false; !isWaiting;) {
      isWaiting = (await rowsOf(`select from pg_locks where pid = ${pid} and not granted`)).length > 0
    }
    return rows
  })
  return [await outcomeOf(early), await late]
}

/** Returns what nobody would see: rows of parts that have no item or were replaced, and costs of services that are gone. */
const hidden = () =>
  rowsOf(`
    select 'part' as what, id from (
      select part_id as id from public.service_tasks where private.successor(part_id) <> part_id
      union all select part_id from public.service_tasks union all select part_id from public.service_events
      union all select part_id from public.wear_measurements
    ) as used where id not in (select part_id from public.maintenance)
    union all select 'replaced part', part_id from public.service_tasks where private.successor(part_id) <> part_id
    union all select 'cost', item.id from public.maintenance as item
    where cost > 0 and not exists (select from public.service_events where maintenance_id = item.id)`)

const removeTask = run('remove_task', { task_id: 101 })
const removeEvent = run('remove_event', { event_id: 1 })
const measure =
  "insert into public.wear_measurements (part_id, measured_on, value, unit) values (201, '2024-03-02', 1, 'mm')"
const replaced = replace(REPLACED!, 'New')
const store = `update public.maintenance set "dateEnded" = '2024-02-01', ended_as = 'stored'`
const describeChain = `update public.maintenance set description = 'Waxed' where id = 101`
const doneAgain = `${removeEvent}; ${done('Wax')}`
const editInterval = (every_days: number) =>
  run('edit_row', {
    relation: 'service_tasks',
    row_id: 101,
    shown: { every_days: 30 },
    wanted: { every_days },
  })

// The results of two writes at the same time, in this order and in the other one.
const cases: [
  what: string,
  one: string,
  other: string,
  forward: string,
  backward: string,
  before?: string,
][] = [
  ['removing a task, and Done', removeTask, done('Wax', { note: 'Drip' }), 'ok RMT22', 'ok ok'],
  ['removing an event, and adding a cost to it', removeEvent, correct(1, { cost: 30 }), 'ok RMT22', 'ok ok'],
  [
    'undoing an added task, and Done',
    undo(ADDED!),
    done('Lube'),
    'ok RMT22',
    'ok conflict',
    addTask(101, ADDED!),
  ],
  ['undoing a replacement, and Done', undo(REPLACED!), done('Wax'), 'ok ok', 'ok conflict', replaced],
  ['undoing a replacement, and measuring it', undo(REPLACED!), measure, 'ok RMT23', 'ok conflict', replaced],
  ['replacing a part, and adding a task to it', replaced, addTask(101, ADDED!), 'ok ok', 'ok ok'],
  ['replacing a part, and replacing it', replaced, replace(ADDED!, 'Other'), 'ok RMT12', 'ok RMT12'],
  ['replacing a part, and a retry of that', replaced, replaced, 'ok ok', 'ok ok'],
  ['replacing a part, and describing it', replaced, describeChain, 'ok ok', 'ok ok'],
  ['installing a part on a bike, and on another', install(1), install(2), 'ok RMT10', 'ok RMT10', store],
  ['a set-up, and a retry of that', setUp(ADDED!), setUp(ADDED!), 'ok ok', 'ok ok'],
  ['pressing Done, and pressing it', done('Wax'), done('Wax'), 'ok nothing', 'ok nothing'],
  [
    'undoing Done, and correcting it',
    undo(DONE!),
    correct(201, { note: 'Hot' }),
    'ok RMT22',
    'ok conflict',
    doneAgain,
  ],
  ['changing an interval, and changing it', editInterval(60), editInterval(90), 'ok RMT31', 'ok RMT31'],
]

describe('neither loses nor hides an acknowledged write', () => {
  test.each(cases)('%s', async (_what, one, other, forward, backward, before) => {
    for (const [order, expected] of [
      [[one, other], forward],
      [[other, one], backward],
    ] as const) {
      await database.run(LOG)
      if (before) await asOwner(`select private.name_change('${DONE}'); ${before}`)
      expect((await race(...order)).join(' ')).toBe(expected)
      expect(await hidden()).toEqual([])
    }
  })
})

test('the steps of a sync wait for each other', async () => {
  const step = 'reset role; select private.require_running_sync(id) from public.ride_syncs'
  await database.run(`select public.start_ride_sync('owner')`)
  expect(await race(step, step)).toEqual(['ok', 'ok'])
})
