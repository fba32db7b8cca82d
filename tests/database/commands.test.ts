// Runs every command that writes as screens do: with lost responses, reused keys, a second device and nasty input.
//
// oxlint-disable no-restricted-imports -- titles of changes are tested with the rows that commands really write
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  Touched,
  WRITES,
  type WriteInput,
  type WriteName,
} from '../../supabase/functions/_shared/contracts/run-command.ts'
import { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import { US } from '../../src/lib/fake-formats.ts'
import { titleOf } from '../../supabase/functions/_shared/messages/change-messages.ts'
import { checked } from '../contract.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { onlyWorld } from '../world.ts'
import { everything, headersOf, send } from './requests.ts'

// Supabase Lite prints every statement that PostgreSQL rejects.
vi.spyOn(console, 'error').mockImplementation(() => undefined)

const PUSH = 'https://fcm.googleapis.com'
const DONE = '8e4b1b9c-2f43-4e9f-9f0a-3d0a0b6a3f11'
const LOG = onlyWorld({
  bikes: ['Road', 'Gravel', 'Old Gravel'],
  entries: [
    { part: 1, type: 'Drivetrain', name: 'Chain' },
    { part: 2, type: 'Wheels', name: 'Wheels', to: '2024-02-01', ended_as: 'moved' },
    { bike: 2, part: 2, type: 'Wheels', name: 'Wheels', from: '2024-02-01', position: 'front' },
    { part: 3, type: 'Saddle', name: 'Saddle' },
    { bike: 3, part: 4, type: 'Brakes', name: 'Pads' },
  ],
  parts: [{ id: 2, kind: 'wheel' }],
  tasks: [{ part: 1, name: 'Wax', days: 30 }],
  events: [{ task: 1, at: '2024-02-01' }],
  measurements: [{ part: 1, on: '2024-02-01', value: 0.3 }],
  files: [{ item: 1, name: 'Receipt.pdf' }],
  lastId: 1000,
})

let api: DataApi
beforeAll(async () => {
  api = await openDataApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.database.run(LOG)
  await api.database.run(
    `select private.name_change('${DONE}'); update public.maintenance set cost = 5 where id = 1;
    update public.bikes set is_listed = gear_id < 3`,
  )
})

async function run(command: string, args: object, key: string | null = randomUUID()) {
  const body = JSON.stringify({ command, arguments: args, key })
  const response = await send(api, `POST rpc/run_command ${body}`, headersOf('owner', api))
  return { status: response.status, body: await response.json() }
}

const TIRE = { bikeId: 2, name: 'Tire', cost: 60, dateStarted: '2024-01-03T01:00:00' }
const WHEELS = { from: '2024-02-01T01:00:00', to: '2024-02-02T01:00:00', ended: [2], started: [3] }
const CHAIN_OFF: Pick<WriteInput<'change_parts'>, 'day' | 'take_off'> = {
  day: '2024-03-01',
  take_off: [{ id: 1, ended_as: 'worn' }],
}
const BROWSER = { endpoint: `${PUSH}/a`, p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
const [EVENTS, TASKS, ITEMS] = ['service_events', 'service_tasks', 'maintenance'] as const
const ALL = ['*']

/** Of every command: arguments, those that differ in another request, what it touches, and what All changes says about it. */
const CASES: {
  [Name in WriteName]: [WriteInput<Name>, Partial<WriteInput<Name>>, Partial<Touched>, title?: string]
} = {
  add_item: [
    { item: TIRE },
    { item: { ...TIRE, cost: 61 } },
    { tables: [ITEMS, 'parts'], columns: ALL, bikes: [2] },
    'Added Tire, 01/03/2024',
  ],
  edit_row: [
    { relation: ITEMS, row_id: 1, shown: { cost: 5 }, wanted: { cost: 6 } },
    { wanted: { cost: 7 } },
    { tables: [ITEMS], columns: ['cost'], bikes: [1], parts: [1] },
    'Edited Chain',
  ],
  set_up_bike: [
    { gear_id: 2, parts: [{ name: 'Bell', day: '2024-01-01', tasks: [{ name: 'Ring', every_days: 9 }] }] },
    { parts: [{ name: 'Bell', day: '2024-01-02' }] },
    { tables: [ITEMS, 'parts', TASKS], columns: ALL, bikes: [2] },
    'Set up Gravel',
  ],
  change_parts: [
    { ...CHAIN_OFF, put_on: [{ replaces: 1, name: 'KMC' }] },
    { put_on: [{ replaces: 1, name: 'SRAM' }] },
    { tables: [ITEMS, 'parts', TASKS], bikes: [1] },
    'Replaced Chain with KMC',
  ],
  add_task: [
    { task: { gear_id: 1, name: 'Wash', every_days: 7 }, last_done: '2024-03-01' },
    { last_done: '2024-03-02' },
    { tables: [EVENTS, TASKS], columns: [], bikes: [1], parts: [] },
    'Wash was added',
  ],
  correct_event: [
    { event_id: 1, shown: { cost: null }, wanted: { cost: 30, note: 'Drip' }, also_done: [] },
    { wanted: { cost: 31 } },
    { tables: [ITEMS, 'parts', EVENTS], columns: ['cost', 'service'], bikes: [1] },
    'Wax of 02/01/2024 was changed',
  ],
  mark_done: [
    { task_id: 1, done_on: '2024-03-01', cost: 12.5, note: 'Drip' },
    { cost: 15 },
    { tables: [ITEMS, 'parts', EVENTS], columns: ['cost', 'service'], bikes: [1] },
    'Done: Wax, 03/01/2024, $12.50',
  ],
  snooze: [
    { task_id: 1, until: '2099-01-01' },
    { until: '2099-01-02' },
    { tables: [TASKS], columns: [], bikes: [1], parts: [1] },
    'Snoozed Wax until 01/01/2099',
  ],
  remove_task: [{ task_id: 1 }, { task_id: 2 }, { tables: [EVENTS, TASKS], bikes: [1] }, 'Wax was removed'],
  remove_event: [
    { event_id: 1 },
    { event_id: 2 },
    { tables: [EVENTS], bikes: [1] },
    'Wax of 02/01/2024 was removed',
  ],
  replace_part: [
    { part_id: 1, ended_as: 'worn', successor: { name: 'KMC' } },
    { ended_as: 'sold' },
    { tables: [ITEMS, 'parts', TASKS], bikes: [1], parts: [1, 1001] },
    'Replaced Chain with KMC',
  ],
  move_part: [
    { part_id: 1, gear_id: 2, day: '2024-03-01' },
    { day: '2024-03-02' },
    { tables: [ITEMS], bikes: [1, 2], parts: [1] },
    'Moved Chain to Gravel',
  ],
  change_part_day: [
    WHEELS,
    { to: '2024-02-03T01:00:00' },
    { tables: [ITEMS], columns: ['dateEnded', 'dateStarted'], bikes: [1, 2], parts: [2] },
    'Changed the day of Wheels to 02/02/2024',
  ],
  add_measurement: [
    { part_id: 1, measurement: { value: 0.4, unit: 'mm' } },
    { measurement: { value: 0.5, unit: 'mm' } },
    { tables: ['wear_measurements'], parts: [1] },
    'Measurement of',
  ],
  remove_measurement: [
    { id: 1 },
    { id: 2 },
    { tables: ['wear_measurements'], parts: [1] },
    'Measurement of 02/01/2024 (0.3 chain %) was removed',
  ],
  delete_item: [
    { bikeId: 1, id: 4 },
    { id: 1 },
    { tables: [ITEMS], columns: ALL, bikes: [1], parts: [3] },
    'Deleted Saddle, 01/01/2024',
  ],
  add_file: [
    { item_id: 2, name: 'Wheels.pdf', content: btoa('%PDF-1.4') },
    { content: btoa('%PDF-1.5') },
    { tables: ['entry_files'], columns: [], bikes: [1, 2], parts: [2] },
    'Wheels.pdf was added',
  ],
  remove_file: [
    { file_id: 1 },
    { file_id: 2 },
    { tables: ['entry_files'], columns: [], bikes: [1], parts: [1] },
    'Receipt.pdf was removed',
  ],
  import_items: [
    { added: [TIRE], changed: [], records: 5, newest: 5 },
    { added: [{ ...TIRE, cost: 61 }] },
    { tables: [ITEMS, 'parts'], columns: ALL, bikes: [2] },
    'Imported 1 log entry',
  ],
  attach_log: [
    { from: 3, to: 2 },
    { to: 1 },
    { tables: ['attached_logs', ITEMS], columns: ['bikeId'], bikes: [2, 3], parts: [4] },
    'Attached the log of a former bike to Gravel',
  ],
  bike_details: [
    { gear_id: 2, shown: { size: null }, wanted: { size: '56', serial_number: 'WTU 1' } },
    { wanted: { size: '58' } },
    { tables: ['bike_details'], columns: [], bikes: [2], parts: [] },
    'Edited Gravel',
  ],
  sell_bike: [
    { gear_id: 1, day: '2024-03-01', price: 900, goes_along: [1] },
    { price: 950 },
    { tables: ['bike_details', ITEMS], columns: ['dateEnded', 'ended_as'], bikes: [1], parts: [1, 3] },
    'Sold Road, 2 parts sold or stored',
  ],
  rename_items: [
    { names: [{ id: 1, name: 'KMC', was: 'Chain' }] },
    { names: [{ id: 1, name: 'SRAM' }] },
    { tables: [ITEMS], columns: ['name'], bikes: [1], parts: [1] },
    'Renamed Chain to KMC',
  ],
  rotate: [
    { gear_id: 2, kind: 'wheel', day: '2024-03-02' },
    { without_words: true },
    { tables: [ITEMS], columns: ['*', 'dateEnded', 'ended_as'], bikes: [1, 2], parts: [2] },
    'Rotated Wheels',
  ],
  name_kinds: [
    { parts: [{ id: 2, kind: 'fork' }] },
    { parts: [{ id: 2, kind: 'wheel', position: 'rear' }] },
    { tables: [ITEMS, 'parts'], columns: ['*', 'position'], bikes: [1, 2], parts: [2] },
    'Said what Wheels is',
  ],
  dismiss_check: [
    { key: 'a' },
    { key: 'b' },
    { tables: ['dismissed_checks'], bikes: [], parts: [] },
    'A line of To check was dismissed',
  ],
  undo: [{ change: DONE }, { keep_changed: true }, { columns: ['cost'], bikes: [1] }, 'Restored Chain'],
  set_settings: [{ distance: 'km' }, { currency: 'EUR' }, { tables: ['settings'] }],
  set_time_zone: [{ name: 'Asia/Tokyo' }, { name: 'America/Lima' }, { tables: ['owner'] }],
  add_push_subscription: [BROWSER, { endpoint: `${PUSH}/b` }, { tables: ['push_subscriptions'] }],
  remove_push_subscription: [
    { endpoint: BROWSER.endpoint },
    { endpoint: `${PUSH}/b` },
    { tables: ['push_subscriptions'] },
  ],
}
const NAMES = Object.keys(CASES) as WriteName[]
const JOURNALED = NAMES.filter((name) => WRITES[name].isJournaled)

describe.each(NAMES)('the command %s', (name) => {
  const [input, different, touched] = CASES[name]

  test('answers as its contract says, is written once per key, and refused if its arguments differ', async () => {
    const key = randomUUID()
    const first = await run(name, v.parse(WRITES[name].Input, input), key)
    expect([first.status, first.body.change]).toEqual([200, WRITES[name].isJournaled ? key : null])
    checked<v.GenericSchema>(WRITES[name].Answer, first.body.answer)
    expect(checked(Touched, first.body.touched)).toMatchObject(touched)

    const before = await everything(api)
    expect(await run(name, input, key)).toEqual(first)
    const refused = { status: 409, body: { code: 'RMT07', stored: first.body } }
    expect(await run(name, { ...input, ...different }, key)).toMatchObject(refused)
    const unknown = { status: 422, body: { message: 'Unknown argument: nonsense.' } }
    expect(await run(name, { ...input, nonsense: 1 })).toMatchObject(unknown)
    expect(await everything(api)).toBe(before)
  })
})

describe.each(JOURNALED)('the command %s', (name) => {
  const [input, , , title = 'Every change has a title.'] = CASES[name]

  test('is listed as what the rider did, and taken back by its key, but only once', async () => {
    const before = await rows()
    const key = randomUUID()
    await run(name, input, key)
    expect(await rows()).not.toBe(before)
    const response = await send(api, 'POST rpc/trash {}', headersOf('owner', api))
    const { groups } = checked(Answers.entries.trash, await response.json())
    expect(groups[0]!.command).toBe(name)
    expect(titleOf(groups[0]!, US, (id) => (id === 1 ? 'Road' : 'Gravel'))).toContain(title)

    expect((await run('undo', { change: key })).body.answer).toMatchObject({ conflicts: [] })
    expect(await rows()).toBe(before)
    expect((await run('undo', { change: key })).body).toMatchObject({ answer: { restored: 0 }, change: null })
  })
})

/** The owner's rows, without the journal. */
async function rows() {
  const tables = [
    'parts',
    'maintenance',
    'service_tasks',
    'service_events',
    'wear_measurements',
    'dismissed_checks',
    'attached_logs',
    'entry_files',
    'bike_details',
  ]
  const selects = tables.map((table) => `select * from public.${table} order by 1`)
  return JSON.stringify(await api.database.run(selects.join(';')))
}

test('the database lists the same commands, arguments and rights', async () => {
  const [listed] = await api.database.run('select * from private.commands where is_write')
  const inDatabase = listed!.map(({ name, arguments: names, for_tokens, touches }) => [
    name,
    { names: (names as string[]).toSorted(), for_tokens, isJournaled: touches === null },
  ])
  const inList = NAMES.map((name) => [
    name,
    {
      names: Object.keys(WRITES[name].Input.entries).toSorted(),
      for_tokens: WRITES[name].isForTokens,
      isJournaled: WRITES[name].isJournaled,
    },
  ])
  expect(Object.fromEntries(inDatabase)).toEqual(Object.fromEntries(inList))
})

test.each([
  ['a\0b', 'name'],
  ['🚲 "quoted" \\u0000\n\ud800', 'name'],
  ['\udc00\ud800', 'name'],
])(
  'text that PostgreSQL can’t store, such as %j, is refused by the name of its field',
  async (name, field) => {
    const item = { bikeId: 1, description: '🚲\n"\\ud800', name, cost: 5 }
    expect(await run('add_item', { item })).toEqual({
      status: 422,
      body: expect.objectContaining({ message: `${field}: Remove the characters that can’t be stored.` }),
    })
    expect(await run('rename_items', { names: [{ id: 1, [name]: 'x' }] })).toMatchObject({ status: 422 })
  },
)

const sortedNames = (rows: Record<string, unknown>[]) => rows.map(({ name }) => String(name)).toSorted()

test('each command is a function, and only those that write what no role may write run with more rights', async () => {
  const [functions, listed] = await api.database.run(`
    select substr(proname, length('command_') + 1) as name, prosecdef as is_definer, format('(%s) %s', pg_get_function_arguments(oid), pg_get_function_result(oid)) as signature
    from pg_proc where pronamespace = 'private'::regnamespace and starts_with(proname, 'command_');
    select name from private.commands`)
  expect(sortedNames(functions!)).toEqual(sortedNames(listed!))
  expect(new Set(functions!.map(({ signature }) => signature))).toEqual(new Set(['(arguments jsonb) jsonb']))
  const definers = functions!.filter(({ is_definer }) => is_definer)
  expect(sortedNames(definers)).toEqual([
    'add_push_subscription',
    'remove_push_subscription',
    'set_time_zone',
  ])
})

test.each(['drop', 'unlisted', '', 'Due', 'due ', 'due"', `due('{}'); select 1 --`, '../run', '%I'])(
  'the name %j reaches no function',
  async (name) => {
    const unlisted = 'private.command_unlisted(arguments jsonb) returns jsonb language sql'
    await api.database.run(`create or replace function ${unlisted} as 'select arguments'`)
    const message = `Unknown command: ${name}.`
    expect(await run(name, {})).toMatchObject({ status: 422, body: { message } })
    await api.database.run('drop function private.command_unlisted')
    const execute = api.database.run(`select private.execute('${name.replaceAll("'", "''")}', '{}')`)
    await expect(execute).rejects.toMatchObject({ code: '42883' })
  },
)

test('remembers neither arguments nor requests of more than 30 days ago', async () => {
  const secret = 'a name that nobody may read'
  for (const days of [31, 29]) {
    await run('dismiss_check', { key: `old ${days}` }, `00000000-0000-4000-8000-0000000000${days}`)
    await api.database.run(`update private.requests set answered_at = answered_at - interval '${days} days'
      where key::text like '%${days}'`)
  }
  await run('dismiss_check', { key: secret })
  const [kept] = await api.database.run('select requests::text from private.requests order by answered_at')
  expect(kept).toEqual([{ requests: expect.stringContaining('0000000029') }, expect.anything()])
  expect(JSON.stringify(kept)).not.toContain(secret)
})

test('an import of many entries answers with its bikes only', async () => {
  const added = Array.from({ length: 200 }, (_, n) => ({
    bikeId: 2,
    name: `Part ${n}`,
    cost: 0,
    dateStarted: '2024-01-03T01:00:00',
  }))
  const { body } = await run('import_items', { added, changed: [], records: 5, newest: 5 })
  expect(body).toMatchObject({ answer: { written: 200 }, touched: { bikes: [2], parts: null } })
})

const edit = (shown: object, wanted: object) =>
  run('edit_row', { relation: 'maintenance', row_id: 1, shown, wanted })

describe('an edit', () => {
  test('of values that changed since changes nothing, and gets what is stored', async () => {
    const before = await rows()
    expect(await edit({ cost: 0, name: 'Chain' }, { cost: 7, name: 'KMC' })).toMatchObject({
      status: 409,
      body: { code: 'RMT31', stored: { cost: 5, name: 'Chain' } },
    })
    expect(await rows()).toBe(before)
    expect((await edit({ cost: 0, name: 'Chain' }, { name: 'KMC' })).body.answer).toMatchObject({
      row: { cost: 5, name: 'KMC' },
    })
    expect((await edit({ cost: 0 }, { cost: 5 })).body).toMatchObject({
      change: null,
      answer: { row: { cost: 5 } },
    })
    expect((await edit({}, {})).body).toMatchObject({ change: null, answer: { row: { cost: 5 } } })
  })

  test('of a row that was removed says so, and of an unknown table writes nothing', async () => {
    const gone = { relation: 'maintenance', row_id: 99, shown: {}, wanted: { cost: 1 } }
    expect((await run('edit_row', gone)).body).toMatchObject({ answer: { row: null }, change: null })
    expect(await run('edit_row', { ...gone, relation: 'rides' })).toMatchObject({ body: { code: '22023' } })
  })

  test('of a service keeps the cost that another device added', async () => {
    const shown = { done_on: '2024-02-01', cost: null, note: null }
    const correct = (wanted: object) => run('correct_event', { event_id: 1, shown, wanted, also_done: [] })
    expect((await correct({ cost: 30 })).status).toBe(200)
    const before = await rows()
    expect(await correct({ cost: 12 })).toMatchObject({
      status: 409,
      body: { code: 'RMT31', stored: { ...shown, cost: 30 } },
    })
    expect(await rows()).toBe(before)
    expect((await correct({ note: 'Drip' })).status).toBe(200)
    const [events] = await api.database.run(
      'select cost::int, note from public.service_events join public.maintenance as item on item.id = maintenance_id',
    )
    expect(events).toEqual([{ cost: 30, note: 'Drip' }])
  })

  test('of a service to no cost removes the entry with its cost, and Done without a cost adds none', async () => {
    await run('mark_done', { task_id: 1, done_on: '2024-03-01', cost: 0 })
    for (const cost of [30, 0]) {
      const change = { event_id: 1, shown: {}, wanted: { cost }, also_done: [] }
      expect((await run('correct_event', change)).status).toBe(200)
    }
    const [items] = await api.database.run(`select name from public.maintenance where name = 'Wax'`)
    expect(items).toEqual([])
  })

  test('of usage from before the log touches every column of the part’s items', async () => {
    const { body } = await run('edit_row', {
      relation: 'parts',
      row_id: 2,
      shown: {},
      wanted: { earlier_distance: 1000 },
    })
    expect(body.touched).toEqual({ tables: ['parts'], columns: ['*'], bikes: [1, 2], parts: [2] })
  })

  test('of a service marks other tasks done at the same time, also of other parts', async () => {
    await api.database.run(
      `insert into public.service_tasks (id, part_id, name, every_days) values (2, 1, 'Wipe', 5), (3, 3, 'Oil', 5)`,
    )
    await run('correct_event', {
      event_id: 1,
      shown: {},
      wanted: { done_on: '2024-03-02' },
      also_done: [2, 3],
    })
    const [events] = await api.database.run(
      'select task_id::int, done_at::date::text as day from public.service_events order by 1',
    )
    expect(events).toEqual([
      { task_id: 1, day: '2024-03-02' },
      { task_id: 2, day: '2024-03-02' },
      { task_id: 3, day: '2024-03-02' },
    ])
  })
})

test('Done on a day that another device has marked adds nothing, and another cost or note is refused', async () => {
  const done = { task_id: 1, seen: 1, done_on: '2024-03-01', cost: 12.5, note: 'Drip' }
  const first = await run('mark_done', done)
  const before = await rows()
  for (const again of [done, { ...done, cost: null, note: null }]) {
    expect((await run('mark_done', again)).body).toMatchObject({ answer: first.body.answer, change: null })
  }
  for (const other of [{ cost: 15 }, { note: 'Hot' }]) {
    expect(await run('mark_done', { ...done, ...other })).toMatchObject({
      status: 409,
      body: { code: 'PT409', stored: { cost: 12.5, note: 'Drip' } },
    })
  }
  expect(await rows()).toBe(before)
})

test('a task of a replaced part goes to its successor, and the answer says so', async () => {
  const replaced = await run('change_parts', CASES.change_parts[0])
  const [successor] = replaced.body.answer.added
  const { body } = await run('add_task', { task: { part_id: 1, name: 'Lube', every_days: 9 } })
  expect(body.answer).toMatchObject({
    tasks: [{ part_id: successor.part_id }],
    successor: { id: successor.id, name: 'KMC' },
  })
})
