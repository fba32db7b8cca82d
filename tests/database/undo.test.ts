// Undoes generated changes of every kind, as two devices would make them.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { WRITES } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { onlyWorld } from '../world.ts'
import { literal, OWNER, type Row, SIGN_IN_OWNER, useDatabase } from './databases.ts'
import { cases } from '../cases.ts'

const database = await useDatabase(SIGN_IN_OWNER)
const otherDevice = connect(database.url, 1)
afterAll(() => otherDevice.end())
await otherDevice`select set_config('request.jwt.claim.sub', ${OWNER}, false)`

const LOG = `${onlyWorld({
  bikes: ['Road', 'Gravel', 'Old'],
  entries: [
    { part: 1, type: 'Drivetrain', name: 'Chain', cost: 45.1, from: '2024-01-01T14:30:00.123456' },
    { part: 2, type: 'Tires', name: 'Tire', description: 'two\nlines "\\', cost: 60 },
    { bike: 2, part: 3, name: 'Saddle', description: '🚲', cost: -5, to: '2024-01-05', ended_as: 'moved' },
    { part: 3, name: 'Saddle', description: '🚲', from: '2024-01-05' },
    { bike: 2, part: 4, type: 'Brakes', name: 'Pads', cost: 20, from: '2024-01-02', to: '2024-01-02' },
    { bike: 3, part: 5, name: 'Fork' },
  ],
  tasks: [
    { part: 1, name: 'Wax', days: 30 },
    { part: 3, name: 'Check', days: 90 },
    { bike: 1, name: 'Wash', days: 7 },
    { part: 1, name: 'Wipe', days: 5 },
  ],
  events: [{ task: 1, at: '2024-01-02' }],
  measurements: [{ part: 1, on: '2024-01-03', value: 0.3 }],
  files: [
    { item: 1, name: 'Chain.pdf' },
    { item: 1, name: 'Link.pdf' },
  ],
})} update public.bikes set is_listed = gear_id <> 3;`

const valueOf = async (sql: string) => (await database.run(sql)).at(-1)![0]!['value']

/** Reads the owner's rows in PostgreSQL's text format. */
const snapshot = () =>
  valueOf(`select coalesce(jsonb_object_agg(key, row), '{}') as value from (
    select 'item ' || id as key, item::text as row from public.maintenance as item
    union all select 'part ' || id, part::text from public.parts as part
    union all select 'task ' || id, task::text from public.service_tasks as task
    union all select 'event ' || id, event::text from public.service_events as event
    union all select 'measurement ' || id, wear::text from public.wear_measurements as wear
    union all select 'attached ' || id, attached::text from public.attached_logs as attached
    union all select 'details ' || id, details::text from public.bike_details as details
    union all select 'file ' || id, file::text from public.entry_files as file
    union all select 'dismissed ' || id, dismissed::text from public.dismissed_checks as dismissed
  ) as rows`) as Promise<Record<string, string>>

const name = fc.constantFrom('Chain', 'Cassette', 'O’Neil "\\"')
const day = fc.integer({ min: 6, max: 9 }).map((n) => `2024-01-0${n}`)
const item = fc.constantFrom(1, 1, 1, 2, 3, 4, 5, 101, 102, 103)
const task = fc.constantFrom(1, 1, 1, 2, 3, 4, 101, 102)
const event = fc.constantFrom(1, 1, 101, 102)
const dollars = fc.constantFrom(null, 1.5, 30)

type Act = (key: string) => string
const command = (name: string, args: object, key: string) =>
  `select public.run_command('${name}', ${literal(args)}, '${key}')`
const edit = (relation: string, row_id: number, wanted: object, key: string) =>
  command('edit_row', { relation, row_id, shown: {}, wanted }, key)

const act = <Values extends object>(
  weight: number,
  values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  sql: (values: Values, key: string) => string,
): fc.WeightedArbitrary<Act> => ({
  weight,
  arbitrary: fc.record(values).map((chosen) => {
    const run: Act = (key) => sql(chosen, key)
    return Object.assign(run, { [fc.toStringMethod]: () => run('key') })
  }),
})

/** The owner's actions, as SQL. Refused statements change nothing. */
const actions = fc.oneof(
  act(
    4,
    {
      id: item,
      edits: fc.oneof(
        name.map((name) => ({ name })),
        dollars.map((cost) => ({ cost: cost ?? 0 })),
        fc.constantFrom(null, 'worn').map((ended_as) => ({ ended_as })),
        fc.option(day).map((dateEnded) => ({ dateEnded })),
        fc.constant({ description: null, type: 'Wheels' }),
      ),
    },
    ({ id, edits }, key) => edit('maintenance', id, edits, key),
  ),
  act(
    2,
    { part: fc.constantFrom(1, 3, 4, 101), distance: fc.constantFrom(null, 0, 1930800.5) },
    ({ part, distance }, key) =>
      edit('parts', part, { earlier_distance: distance, earlier_moving_time: 80 }, key),
  ),
  act(1, { id: item }, ({ id }) => `delete from public.maintenance where id = ${id}`),
  act(3, { id: item, bikeId: fc.constantFrom(1, 1, 2) }, ({ id, bikeId }, key) =>
    command('delete_item', { bikeId, id }, key),
  ),
  act(
    1,
    { name },
    ({ name }) => `insert into public.maintenance ("bikeId", name) values (1, ${literal(name)})`,
  ),
  act(2, { name }, ({ name }, key) =>
    command('add_item', { item: { bikeId: 1, name, cost: 5, dateStarted: '2024-01-03T01:00:00' } }, key),
  ),
  act(
    6,
    {
      id: item,
      day,
      kind: fc.constantFrom('replace', 'replace', 'move', 'store', 'install'),
      bike: fc.constantFrom(1, 2),
    },
    ({ id, day, kind, bike }, key) => {
      const put_on = {
        replace: [{ replaces: id, name: 'New', cost: 12.5 }],
        move: [{ bikeId: bike, part_of: id }],
        store: [],
        install: [{ bikeId: bike, part_of: id }],
      }[kind]
      const ended_as = { replace: 'worn', move: 'moved', store: 'stored', install: null }[kind]
      const take_off = ended_as ? [{ id, ended_as }] : []
      return command('change_parts', { day, take_off, put_on }, key)
    },
  ),
  act(1, { day }, ({ day }, key) =>
    command(
      'change_part_day',
      { from: '2024-01-05T01:00:00', to: `${day}T01:00:00`, ended: [3], started: [4] },
      key,
    ),
  ),
  act(
    3,
    {
      id: fc.constantFrom(1, 3, 4, 101),
      is: fc.constantFrom(
        { kind: 'tire', position: 'front' },
        { kind: 'tire', position: 'rear' },
        { kind: 'chain' },
        { kind: null },
      ),
    },
    ({ id, is }, key) => command('name_kinds', { parts: [{ id, ...is }] }, key),
  ),
  act(2, { day, without_words: fc.boolean() }, ({ day, without_words }, key) =>
    command('rotate', { gear_id: 1, kind: 'tire', day, without_words }, key),
  ),
  act(1, { name, day }, ({ name, day }, key) =>
    command(
      'set_up_bike',
      { gear_id: 2, parts: [{ name, day, earlier_distance: 100, tasks: [{ name: 'Lube', every_days: 9 }] }] },
      key,
    ),
  ),
  act(
    2,
    { names: fc.array(name, { maxLength: 4 }), cost: fc.integer({ min: 0, max: 9 }) },
    ({ names, cost }, key) => `select public.run_command('import_items', json_build_object(
        'added', ${literal(names.map((name) => ({ bikeId: 2, name, cost, dateStarted: '2024-01-03T01:00:00', part_id: cost % 2 || null })))}::jsonb,
        'changed', (
          select coalesce(jsonb_agg(jsonb_build_object('before', to_jsonb(item), 'after', to_jsonb(item) || '{"cost": ${cost}, "earlier_distance": ${cost * 1000}}')), '[]')
          from public.maintenance as item where id in (2, 5)),
        'records', (select count(*) from public.maintenance), 'newest', (select max(id) from public.maintenance)), '${key}')`,
  ),
  act(1, { id: item, name }, ({ id, name }, key) => command('rename_items', { names: [{ id, name }] }, key)),
  act(2, { part: fc.constantFrom(1, 1, 3, 101), last_done: fc.option(day) }, ({ part, last_done }, key) =>
    command('add_task', { task: { part_id: part, name: 'Lube', every_days: 9 }, last_done }, key),
  ),
  act(2, { id: task }, ({ id }, key) => command('remove_task', { task_id: id }, key)),
  act(2, { id: task, every_days: fc.constantFrom(30, 60) }, ({ id, every_days }, key) =>
    edit('service_tasks', id, { every_days }, key),
  ),
  act(3, { id: task, until: fc.constantFrom(null, '2024-02-01', '2024-03-01') }, ({ id, until }, key) =>
    edit('service_tasks', id, { snoozed_until: until, snoozed_from: until && '2024-01-02T01:00:00' }, key),
  ),
  act(
    5,
    { id: task, day: fc.option(day), cost: dollars, note: fc.constantFrom(null, 'Drip') },
    ({ id, day, cost, note }, key) => command('mark_done', { task_id: id, done_on: day, cost, note }, key),
  ),
  act(
    4,
    {
      id: event,
      wanted: fc.record(
        { done_on: day, cost: dollars, note: fc.constantFrom(null, 'Hot') },
        { requiredKeys: [] },
      ),
      also: fc.boolean(),
    },
    ({ id, wanted, also }, key) =>
      command('correct_event', { event_id: id, shown: {}, wanted, also_done: also ? [4] : [] }, key),
  ),
  act(2, { id: event }, ({ id }, key) => command('remove_event', { event_id: id }, key)),
  act(
    2,
    { part: fc.constantFrom(1, 1, 3, 101, 102), value: fc.constantFrom(0.3, 0.5) },
    ({ part, value }, key) =>
      command(
        'add_measurement',
        { part_id: part, measurement: { measured_on: '2024-01-04', value, unit: 'mm' } },
        key,
      ),
  ),
  act(2, { id: fc.constantFrom(1, 101), note: fc.constantFrom(null, 'Cold') }, ({ id, note }, key) =>
    edit('wear_measurements', id, { note }, key),
  ),
  act(1, { id: fc.constantFrom(1, 101) }, ({ id }, key) => command('remove_measurement', { id }, key)),
  act(3, { item, name }, ({ item, name }, key) =>
    command('add_file', { item_id: item, name, content: btoa(`%PDF-${item}`) }, key),
  ),
  act(2, { id: fc.constantFrom(1, 2, 101, 102) }, ({ id }, key) =>
    command('remove_file', { file_id: id }, key),
  ),
  act(
    2,
    { id: fc.constantFrom(1, 2, 101), wanted: fc.constantFrom({ in_passport: true }, { name: 'Front.pdf' }) },
    ({ id, wanted }, key) => edit('entry_files', id, wanted, key),
  ),
  act(1, { part: fc.constantFrom(1, 3), gear_id: fc.constantFrom(1, 2) }, ({ part, gear_id }, key) =>
    command('move_part', { part_id: part, gear_id }, key),
  ),
  act(1, { part: fc.constantFrom(1, 3, 101), day }, ({ part, day }, key) =>
    command('replace_part', { part_id: part, ended_as: 'worn', day, successor: { name: 'New' } }, key),
  ),
  act(1, { to: fc.constantFrom(1, 2) }, ({ to }, key) => command('attach_log', { from: 3, to }, key)),
  act(2, { bike: fc.constantFrom(1, 2, 3), day, price: dollars }, ({ bike, day, price }, key) =>
    command('sell_bike', { gear_id: bike, day, price, goes_along: [] }, key),
  ),
  act(
    2,
    {
      bike: fc.constantFrom(1, 3),
      wanted: fc.constantFrom(
        { size: '56' },
        { size: '58', color: 'Blue' },
        { sold_on: null },
        { size: null },
      ),
    },
    ({ bike, wanted }, key) => command('bike_details', { gear_id: bike, shown: {}, wanted }, key),
  ),
  act(1, { id: task, until: day }, ({ id, until }, key) => command('snooze', { task_id: id, until }, key)),
  act(1, { key: fc.constantFrom('a', 'b') }, ({ key: check }, key) =>
    command('dismiss_check', { key: check }, key),
  ),
  act(
    1,
    { key: fc.constantFrom('a', 'b') },
    ({ key }) => `delete from public.dismissed_checks where key = '${key}'`,
  ),
)

/** The changes of one device, or of two at the same time. */
interface Step {
  /** In the order in which they were made. */
  changes: string[]
  before: Record<string, string>
  after: Record<string, string>
}

/** Runs a statement as the owner, in a transaction of its own, as the change with this name. */
const asOwner = async (sql: string, change: string = randomUUID()) =>
  (await database.run(`set local role authenticated; select private.name_change('${change}'); ${sql}`)).at(
    -1,
  )!

type Undone = {
  restored: number
  conflicts: { relation: string; state: string; added: Row[] }[]
  change: string | null
}
const undo = async (change: string) =>
  (
    await asOwner(`select answer -> 'answer' || jsonb_build_object('change', answer -> 'change') as value
      from public.run_command('undo', ${literal({ change })}) as answer`)
  )[0]!['value'] as Undone

type Action = Act | number

/** Runs an action, or undoes one of the earlier changes if given its number. Resolves to an error's code. */
async function run(
  action: Action,
  change: string,
  earlier: readonly string[],
  device: Device,
): Promise<void> {
  if (typeof action === 'number' && earlier.length === 0) return
  const undone = typeof action === 'number' ? earlier[action % earlier.length] : null
  const sql = typeof action === 'number' ? command('undo', { change: undone }, change) : action(change)
  const code = await device(
    `set local role authenticated; select private.name_change('${change}'); ${sql}`,
  ).then(
    () => null,
    (error: { code: string }) => error.code,
  )
  expect([code, sql]).toEqual([expect.toBeOneOf([null, expect.stringMatching(/^(?:RMT\d\d|23...)$/)]), sql])
}

type Device = (sql: string) => Promise<unknown>
const DEVICES: Device[] = [(sql) => database.run(sql), (sql) => otherDevice.unsafe(sql)]

/** Runs the actions of each step, at the same time if there are two. Returns the steps that changed something. */
async function make(plan: readonly Action[][]): Promise<Step[]> {
  const steps: Step[] = []
  let before = await snapshot()
  for (const actions of plan) {
    const earlier = steps.flatMap(({ changes }) => changes)
    const names = actions.map(() => randomUUID())
    await Promise.all(actions.map((action, place) => run(action, names[place]!, earlier, DEVICES[place]!)))
    const after = await snapshot()
    const changes = (await valueOf(`select coalesce(array_agg(change order by first), '{}') as value from (
      select change::text, min(id) as first from public.changes where change in ('${names.join("','")}') group by 1) as made`)) as string[]
    expect(changes.length > 0 ? null : after).toEqual(changes.length > 0 ? null : before)
    if (changes.length > 0) steps.push({ changes, before, after })
    before = after
  }
  return steps
}

const action = fc.oneof({ weight: 5, arbitrary: actions }, { weight: 1, arbitrary: fc.nat(9) })

test('undoing the newest changes first leads back to the start, and undoing the undos to the end', async () => {
  let undone = 0
  const plans = fc.array(fc.array(action, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      await database.run(LOG)
      const steps = await make(plan)
      const undos: string[][] = []
      for (const { changes, before } of steps.toReversed()) {
        const answers: Undone[] = []
        for (const change of changes.toReversed()) {
          answers.push(await undo(change))
          // At once, because undoing an equal, earlier change may lead to the same values again.
          expect(await undo(change)).toEqual({ restored: 0, conflicts: [], change: null })
        }
        expect(answers.flatMap(({ conflicts }) => conflicts)).toEqual([])
        expect(await snapshot()).toEqual(before)
        undos.push(answers.map(({ change }) => change!))
      }
      for (const [index, changes] of undos.toReversed().entries()) {
        for (const change of changes.toReversed()) expect(await undo(change)).toMatchObject({ conflicts: [] })
        expect(await snapshot()).toEqual(steps[index]!.after)
      }
      undone += steps.length
    }),
    { numRuns: cases(20) },
  )
  expect(undone).toBeGreaterThan(cases(30))
})

type Net = { relation: string; row_id: number; before: Row | null; after: Row | null }
/** Returns what a change did to each row, apart from links to other rows. */
async function netOf(change: string): Promise<Net[]> {
  const [rows] = await database.run(`
    select relation, row_id::integer, (array_agg(before - '{${LINKS}}'::text[] order by id))[1] as before,
      (array_agg(after - '{${LINKS}}'::text[] order by id desc))[1] as after
    from public.changes where change = '${change}' group by 1, 2`)
  return rows as unknown as Net[]
}
const LINKS = 'part_id,maintenance_id,snoozed_part,replaces'

/** Returns the values that an undo wrote but that its change hadn't replaced, or that had been changed since. */
async function othersIn(undone: string, change: string) {
  const changed = new Map((await netOf(change)).map((net) => [`${net.relation} ${net.row_id}`, net]))
  return (await netOf(undone)).flatMap((net) => {
    const original = changed.get(`${net.relation} ${net.row_id}`)
    return Object.keys({ ...net.before, ...net.after }).flatMap((column) => {
      const [was, became] = [net.before?.[column], net.after?.[column]].map((value) => JSON.stringify(value))
      const isTakenBack =
        was === JSON.stringify(original?.after?.[column]) &&
        became === JSON.stringify(original?.before?.[column])
      return was === became || isTakenBack ? [] : [{ row: net.row_id, column, was, became }]
    })
  })
}

/** Undoes a change. Resolves to null if that would put a part in two places, or break a rule of the tables. */
const tryUndo = (change: string) =>
  undo(change).catch(({ code }: { code: string }) => {
    if (!/^(?:RMT10|23505|23514)$/.test(code)) throw new Error(code)
    return null
  })

test('undoing changes in any order only takes back the changes’ own values, or changes nothing', async () => {
  const outcomes = { undone: 0, refused: 0 }
  const orders = fc.array(fc.nat(9), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 2, maxLength: 10 }), orders, async (plan, order) => {
      await database.run(LOG)
      const steps = await make(plan.map((action) => [action]))
      for (const { changes } of order.flatMap((index) => steps[index % steps.length] ?? [])) {
        const change = changes[0]!
        const before = await snapshot()
        const undone = (await tryUndo(change))?.change
        outcomes[undone ? 'undone' : 'refused']++
        expect(undone ? await othersIn(undone, change) : await snapshot()).toEqual(undone ? [] : before)
      }
    }),
    { numRuns: cases(25) },
  )
  expect(Math.min(outcomes.undone, outcomes.refused)).toBeGreaterThan(0)
})

test('the generated changes include every command', () => {
  const statements = fc.sample(actions, { numRuns: 2000, seed: 1 }).map((run) => run('key'))
  const commands = new Set(statements.flatMap((sql) => /run_command\('(\w+)'/.exec(sql)?.[1] ?? []))
  const journaled = Object.entries(WRITES).flatMap(([name, { isJournaled }]) => (isJournaled ? [name] : []))
  expect([...commands, 'undo'].toSorted()).toEqual(journaled.toSorted())
})
