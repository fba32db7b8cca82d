import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { onlyWorld, world } from '../world.ts'
import { type Row, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)

beforeEach(() =>
  database.run(
    onlyWorld({
      bikes: ['Road', 'Gravel'],
      entries: [
        { part: 1, type: 'Drivetrain', name: 'Chain', cost: 45.1, from: '2024-01-01T14:30:00.123456' },
        { part: 2, type: 'Tires', name: 'Tire', cost: 60 },
        { bike: 2, part: 3, name: 'Saddle', cost: -5, to: '2024-01-05', ended_as: 'moved' },
        { part: 3, name: 'Saddle', from: '2024-01-05' },
        { bike: 2, part: 4, type: 'Brakes', name: 'Pads', cost: 20, from: '2024-01-02', to: '2024-01-02' },
      ],
      tasks: [
        { part: 1, name: 'Wax', days: 30 },
        { part: 3, name: 'Check', days: 90 },
      ],
      measurements: [{ part: 1, on: '2024-01-03', value: 0.3 }],
    }),
  ),
)

const valueOf = async (sql: string) => (await database.run(sql)).at(-1)![0]!['value']

/** Runs a statement as the owner and returns its change. */
async function change(sql: string, id: string = randomUUID()) {
  const headers = `select private.name_change('${id}')`
  await database.run(`set local role authenticated; ${headers}; ${sql}`)
  return id
}
/** Runs a command as the owner and returns its change. */
const command = (name: string, args: object) =>
  change(`select public.run_command('${name}', '${JSON.stringify(args)}')`)
const asOwner = (sql: string) => valueOf(`set local role authenticated; ${sql}`)

type Undone = { restored: number; conflicts: Row[]; change: string | null }
const undo = (id: string, keepChanged = false) =>
  asOwner(
    `select answer -> 'answer' || jsonb_build_object('change', answer -> 'change') as value
    from public.run_command('undo', '${JSON.stringify({ change: id, keep_changed: keepChanged })}') as answer`,
  ) as Promise<Undone>
const groups = async (args = '') =>
  ((await asOwner(`select public.trash(${args}) as value`)) as { groups: Row[] }).groups
const row = (relation: string, id: number) =>
  valueOf(`select (select to_jsonb(stored) from public.${relation} as stored where id = ${id}) as value`)
/** Returns every row that the owner may write. */
const everything = () =>
  valueOf(`select jsonb_agg(rows) as value from (
    select stored::text as rows from public.maintenance as stored union all select stored::text from public.service_tasks as stored
    union all select stored::text from public.service_events as stored union all select stored::text from public.wear_measurements as stored
    union all select stored::text from public.parts as stored order by 1) as stored`)

const editRow = (relation: string, id: number, wanted: object) =>
  `select private.edit_row('${relation}', ${id}, '{}', '${JSON.stringify(wanted)}')`
const replace = (id: number, name = 'New') =>
  `select private.command_change_parts('{"day": "2024-02-01", "take_off": [{"id": ${id}, "ended_as": "worn"}], "put_on": [{"replaces": ${id}, "name": "${name}"}]}')`
const done = (more = '') => `select private.mark_done(1${more})`

const changed = (relation: string, present: object, more: object = {}) =>
  ({ relation, state: 'changed', present, ...more }) as Row
const used = (relation: string, ...added: object[]) => ({ relation, state: 'used', added }) as Row
const addTask = (part_id: number) =>
  `select private.add_task('{"part_id": ${part_id}, "name": "Lube", "every_days": 9}')`

describe('Undo keeps what another device', () => {
  test.each<[what: string, undone: string, later: string, conflict: Row]>([
    [
      'changed in a measurement',
      editRow('wear_measurements', 1, { value: 0.5 }),
      editRow('wear_measurements', 1, { value: 0.7, note: 'Cold' }),
      changed(
        'wear_measurements',
        { value: 0.7 },
        { before: { value: 0.3 }, after: { value: 0.5 }, item: { name: 'Chain' } },
      ),
    ],
    [
      'noted about a service',
      done(),
      `select private.correct_event(101, '{}', '{"done_on": "2024-02-01", "cost": 30, "note": "Drip"}')`,
      changed(
        'service_events',
        { note: 'Drip', cost: 30 },
        { task: { name: 'Wax' }, item: { name: 'Chain' } },
      ),
    ],
    [
      'did to a successor',
      replace(1),
      done(),
      used('maintenance', { relation: 'service_events', task: { name: 'Wax' } }),
    ],
    [
      'did about an added task',
      addTask(2),
      'select private.mark_done(101)',
      used('service_tasks', { relation: 'service_events' }),
    ],
  ])('%s', async (_what, undone, later, conflict) => {
    const id = await change(undone)
    await change(later)
    const before = await everything()
    expect(await undo(id)).toMatchObject({ restored: 0, conflicts: [conflict], change: null })
    expect(await everything()).toEqual(before)
  })
})

test('a replacement that another device undid and made again stays', async () => {
  await database.run(
    'delete from public.service_tasks; delete from public.wear_measurements; delete from public.changes',
  )
  const first = await change(replace(1))
  await undo(first)
  await change(replace(1))
  expect(await undo(first)).toMatchObject({
    conflicts: [{ relation: 'maintenance', row_id: 1, state: 'used' }],
  })
})

test('a task that was removed from a part comes back on its successor', async () => {
  await change(editRow('service_tasks', 1, { snoozed_until: '2030-01-01' }))
  const id = await change(`select public.run_command('remove_task', '{"task_id": 1}')`)
  await change(replace(1))
  await change(replace(101, 'Newest'))
  expect(await undo(id)).toMatchObject({ restored: 1 })
  expect(await row('service_tasks', 1)).toMatchObject({ part_id: 102, snoozed_part: 1 })
  expect(await undo(id)).toEqual({ restored: 0, conflicts: [], change: null })
})

test('an added part goes with its entry, even if it was moved, and only then what belongs to it comes back', async () => {
  const start = await everything()
  const added = await command('add_item', {
    item: { bikeId: 1, name: 'Bottle cage', dateStarted: '2024-01-06T01:00:00' },
  })
  const moved = await command('move_part', { part_id: 101, gear_id: 2 })
  const task = await command('add_task', { task: { part_id: 101, name: 'Tighten', every_days: 9 } })
  const end = await everything()
  const undone: Undone[] = []
  for (const id of [task, moved, added]) undone.push(await undo(id))
  expect(await everything()).toEqual(start)
  const [addedTask, movedPart, addedPart] = undone.map(({ change }) => change!)
  expect(await undo(addedTask!)).toMatchObject({
    restored: 0,
    conflicts: [{ relation: 'service_tasks', state: 'deleted' }],
  })
  expect(await undo(movedPart!, true)).toMatchObject({ restored: 0 })
  expect(await everything()).toEqual(start)
  for (const id of [addedPart!, movedPart!, addedTask!])
    expect(await undo(id)).toMatchObject({ conflicts: [] })
  expect(await everything()).toEqual(end)
})

test('an event only comes back with its task', async () => {
  await change(done())
  const event = await change(`select public.run_command('remove_event', '{"event_id": 101}')`)
  const task = await change(`select public.run_command('remove_task', '{"task_id": 1}')`)
  expect(await undo(event)).toMatchObject({
    conflicts: [{ relation: 'service_events', state: 'deleted', task: { name: 'Wax' } }],
  })
  await undo(task)
  expect(await undo(event)).toMatchObject({ restored: 1 })
})

describe('a change', () => {
  test('is recorded once per row, and not if nothing changed', async () => {
    await database.run(`update public.maintenance set name = name`)
    await database.run(`update public.maintenance set cost = cost + 1 where id in (1, 2)`)
    const [rows] = await database.run(
      `select row_id::integer, command, before ->> 'cost' as before, after ->> 'cost' as after,
        count(*) over (partition by change)::integer as size from public.changes order by id`,
    )
    expect(rows).toEqual([
      { row_id: 1, command: null, before: '45.10', after: '46.10', size: 2 },
      { row_id: 2, command: null, before: '60.00', after: '61.00', size: 2 },
    ])
  })

  test('keeps its name: a later transaction with the same name gets another one', async () => {
    const id = await change(editRow('maintenance', 1, { cost: 1 }))
    await change(editRow('maintenance', 1, { cost: 2 }), id)
    expect(await undo(id)).toMatchObject({
      conflicts: [{ before: { cost: 45.1 }, after: { cost: 1 }, present: { cost: 2 } }],
    })
    await expect(change(editRow('maintenance', 1, { cost: 3 }), 'no-uuid')).rejects.toMatchObject({
      code: '22P02',
    })
    expect(await row('maintenance', 1)).toMatchObject({ cost: 2 })
  })

  test('is restored except for rows that changed later', async () => {
    const id = await change(
      `select public.run_command('import_items', '{"added": [{"bikeId": 1, "name": "A", "cost": 0, "dateStarted": "2024-01-03T01:00:00"},
        {"bikeId": 1, "name": "B", "cost": 0, "dateStarted": "2024-01-03T01:00:00"}], "changed": [], "records": 5, "newest": 5}')`,
    )
    await change(editRow('maintenance', 102, { cost: 7 }))
    const before = await everything()
    expect(await undo(id)).toMatchObject({
      restored: 0,
      conflicts: [{ state: 'changed', after: { name: 'B' } }],
    })
    expect(await everything()).toEqual(before)
    expect((await undo(id, true)).restored).toBe(1)
    expect([await row('maintenance', 101), await row('maintenance', 102)]).toMatchObject([
      null,
      { name: 'B' },
    ])
  })

  test('cannot be restored if the bike is gone or the part is elsewhere', async () => {
    await database.run(
      `insert into public.bikes values (3, 'Sold'); insert into public.maintenance ("bikeId", name) values (3, 'Bell')`,
    )
    const bell = await change('delete from public.maintenance where "bikeId" = 3')
    await database.run('delete from public.bikes where gear_id = 3')
    await expect(undo(bell)).rejects.toMatchObject({ code: '23503' })

    const saddle = await change('delete from public.maintenance where id = 4')
    await database.run(
      `insert into public.maintenance ("bikeId", part_id, name, "dateStarted") values (2, 3, 'Saddle', '2024-01-06')`,
    )
    const before = await everything()
    await expect(undo(saddle)).rejects.toMatchObject({ code: 'RMT10' })
    expect(await everything()).toEqual(before)
  })

  test('that comes back keeps new rows from getting its ids', async () => {
    const id = 1000
    const tables = ['service_events', 'service_tasks', 'wear_measurements', 'maintenance']
    await database.run(
      world({
        entries: [{ id, name: 'Bell' }],
        tasks: [{ id, bike: 1, name: 'Wash', days: 9 }],
        events: [{ id, task: id, at: '2024-01-02' }],
        measurements: [{ id, part: 1, on: '2024-01-03', value: 1 }],
      }),
    )
    await undo(await change(tables.map((table) => `delete from public.${table}`).join(';')))
    for (const table of tables)
      expect(await valueOf(`select nextval('public.${table}_id_seq')::integer as value`)).toBe(id + 1)
  })

  test('expires after 30 days, and the next save removes it', async () => {
    const id = await change('delete from public.maintenance where id = 2')
    await database.run(`update public.changes set changed_at = now() - interval '30 days 1 second'`)
    expect(await groups()).toEqual([])
    await expect(undo(id)).rejects.toMatchObject({ code: 'RMT30' })
    await change(editRow('maintenance', 1, { cost: 1 }))
    expect(await valueOf('select count(*)::integer as value from public.changes')).toBe(1)
  })
})

describe('the trash', () => {
  test('lists only deletions on request, without deletions by an Undo', async () => {
    const replaced = await change(replace(1))
    await change('delete from public.maintenance where id = 5')
    await change(`select public.run_command('remove_task', '{"task_id": 2}')`)
    await change(`insert into public.dismissed_checks (key) values ('no_bike:1')`)
    await change(`delete from public.dismissed_checks`)
    const listed = await groups('deletions => true')
    expect(listed).toMatchObject([
      {
        deleted: 1,
        bikes: [1],
        changes: [{ relation: 'service_tasks', before: { name: 'Check' }, item: { name: 'Saddle' } }],
      },
      { deleted: 1, bikes: [2], changes: [{ relation: 'maintenance', before: { id: 5 } }] },
    ])
    expect(await undo(replaced)).toMatchObject({ conflicts: [] })
    expect(await groups('deletions => true')).toEqual(listed)
    expect((await groups())[0]).toMatchObject({ command: 'undo', edited: 1, deleted: 1 })
  })

  test('leaves out links and parts that came with an item', async () => {
    await change(replace(1))
    expect(await groups()).toMatchObject([{ added: 1, edited: 1, deleted: 0 }])
    await change(editRow('parts', 3, { earlier_distance: 1000.5 }))
    expect((await groups())[0]).toMatchObject({
      bikes: [1],
      changes: [
        {
          relation: 'parts',
          before: { earlier_distance: null },
          after: { earlier_distance: 1000.5 },
          item: { id: 4, name: 'Saddle' },
        },
      ],
    })
  })

  test('lists 50 changes per page, the newest first', async () => {
    for (let cost = 1; cost <= 51; cost++) await change(editRow('maintenance', 5, { cost }))
    const first = await groups()
    expect(first).toHaveLength(50)
    expect(first[0]).toMatchObject({ changes: [{ before: { cost: 50 }, after: { cost: 51 } }] })
    expect(await groups(String(first.at(-1)!['last_id']))).toMatchObject([
      { changes: [{ before: { cost: 20 }, after: { cost: 1 } }] },
    ])
  })
})
