import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMigratedDatabase, type Row, SIGN_IN_OWNER, type TestDatabase } from './databases.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openMigratedDatabase()
  await database.run(`
    ${SIGN_IN_OWNER};
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel')`)
})
afterAll(() => database.close())

const LOG = `
  truncate public.maintenance, public.parts, public.log_changes restart identity cascade;
  insert into public.parts select n from generate_series(1, 4) as n;
  insert into public.maintenance (id, "bikeId", part_id, type, name, description, cost, "dateStarted", "dateEnded", ended_as) values
    (1, 1, 1, 'Drivetrain', 'Chain', null, 45.10, '2024-01-01 14:30:00.123456', null, null),
    (2, 1, 2, 'Tires', 'Tire', E'two\\nlines "\\\\', 60, '2024-01-01 01:00:00', null, null),
    (3, 2, 3, null, 'Saddle', '🚲', -5, '2024-01-01 01:00:00', '2024-01-05 01:00:00', 'moved'),
    (4, 1, 3, null, 'Saddle', '🚲', 0, '2024-01-05 01:00:00', null, null),
    (5, 2, 4, 'Brakes', 'Pads', null, 20, '2024-01-02 01:00:00', '2024-01-02 01:00:00', null);
  insert into public.service_tasks (id, part_id, name, every_days) values (1, 1, 'Wax', 30), (2, 3, 'Check', 90);
  select setval('public.maintenance_id_seq', 100), setval('public.parts_id_seq', 100);
  delete from public.log_changes`

const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`
const valueOf = async (sql: string) => (await database.run(sql)).at(-1)![0]!['value']
const asOwner = (sql: string) => valueOf(`set local role authenticated; ${sql}`)

type Restored = { restored: number; conflicts: { item_id: number; state: string }[]; id: string | null }
const restore = (group: unknown, keepChanged = false) =>
  asOwner(
    `select public.restore_log_change('${String(group)}', ${keepChanged}) as value`,
  ) as Promise<Restored>

/** Reads the log and the first items' parts in PostgreSQL's text format, and each task's part. */
const snapshot = () =>
  valueOf(`select jsonb_build_object(
    'items', (
      select coalesce(jsonb_object_agg(key, row), '{}') from (
        select id::text as key, item::text as row from public.maintenance as item
        union all select 'part ' || id, part::text from public.parts as part where id <= 4
      ) as rows
    ),
    'tasks', (select jsonb_object_agg(id, part_id) from public.service_tasks)) as value`) as Promise<Snapshot>
type Snapshot = { items: Record<string, string>; tasks: Row }

const newestGroup = () =>
  valueOf('select (select group_id from public.log_changes order by id desc limit 1) as value')
const item = (id: number) =>
  valueOf(`select to_jsonb(item) as value from public.maintenance as item where id = ${id}`)

const name = fc.constantFrom('Chain', 'Cassette', 'O’Neil "\\"')
const day = fc.integer({ min: 6, max: 9 }).map((n) => `2024-01-0${n}`)
const id = fc.constantFrom(1, 1, 2, 3, 4, 5, 101, 102, 103)

const edits = fc.oneof(
  name.map((value) => `name = ${literal(value).replaceAll('"', '')}`),
  fc.constantFrom(null, 1.5, 45.1).map((value) => `cost = ${value ?? 0}`),
  fc.constantFrom('null', `'worn'`).map((value) => `ended_as = ${value}`),
  fc.option(day).map((value) => `"dateEnded" = ${value === null ? 'null' : `'${value} 01:00:00'`}`),
  fc.constant(`description = null, type = 'Wheels'`),
)

const earlier = fc.constantFrom('null', '0', '1930800.5', '2000')

/** The owner's actions, as SQL. Refused statements change nothing. */
const actions = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ part: fc.constantFrom(1, 1, 3, 4), distance: earlier, hours: fc.constantFrom('null', '80') })
      .map(
        ({ part, distance, hours }) => `update public.parts
        set earlier_distance = ${distance}, earlier_moving_time = ${hours} * 3600 where id = ${part}`,
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(id, edits)
      .map(([id, set]) => `update public.maintenance set ${set} where id = ${id}`),
  },
  { weight: 3, arbitrary: id.map((id) => `delete from public.maintenance where id = ${id}`) },
  {
    weight: 1,
    arbitrary: name.map(
      (name) => `insert into public.maintenance ("bikeId", name) values (1, ${literal(name)})`,
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ id, day, kind: fc.constantFrom('replace', 'move', 'store'), bike: fc.constantFrom(1, 2) })
      .map(({ id, day, kind, bike }) => {
        const put_on = {
          replace: [{ replaces: id, name: 'New', cost: 12.5 }],
          move: [{ bikeId: bike, part_of: id }],
          store: [],
        }[kind]
        const ended_as = { replace: 'worn', move: 'moved', store: 'stored' }[kind]
        return `select public.change_parts(${literal({ day, take_off: [{ id, ended_as }], put_on })})`
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ names: fc.array(name, { maxLength: 4 }), cost: fc.integer({ min: 0, max: 9 }) })
      .map(
        ({ names, cost }) => `select public.import_maintenance(jsonb_build_object(
        'added', ${literal(names.map((name) => ({ bikeId: 2, name, cost, dateStarted: '2024-01-03T01:00:00' })))}::jsonb,
        'changed', (
          select coalesce(jsonb_agg(jsonb_build_object('before', to_jsonb(item), 'after', to_jsonb(item) || '{"cost": ${cost}, "earlier_distance": ${cost * 1000}}')), '[]')
          from public.maintenance as item where id in (2, 5)),
        'records', (select count(*) from public.maintenance), 'newest', (select max(id) from public.maintenance)))`,
      ),
  },
  { weight: 1, arbitrary: fc.constant('select public.mark_service_done(1, cost => 30)') },
)

/** Resolves to the SQLSTATE if the statement is refused, or null. */
const refusalOf = (sql: string) =>
  database.run(sql).then(
    () => null,
    (error: { code: string }) => error.code,
  )

type Step = { group: string; before: Snapshot; after: Snapshot }

/** Runs each statement in its own transaction. Returns the steps that changed the log. */
async function act(statements: string[]): Promise<Step[]> {
  const steps: Step[] = []
  let before = await snapshot()
  for (const statement of statements) {
    const refusal = await refusalOf(`set local role authenticated; ${statement}`)
    expect(refusal ?? 'RMT10').toMatch(/^(?:RMT\d\d|23...)$/)
    const after = await snapshot()
    const group = (await newestGroup()) as string
    if (JSON.stringify(after.items) !== JSON.stringify(before.items)) steps.push({ group, before, after })
    before = after
  }
  return steps
}

describe('generated edits, deletions, replacements, moves and imports', () => {
  const sequences = fc.array(actions, { minLength: 1, maxLength: 8 })

  test('restore each earlier log when undone newest first, and each later log when undone again', async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(sequences, async (statements) => {
        await database.run(LOG)
        const steps = await act(statements)
        const restores: string[] = []
        for (const { group, before } of steps.toReversed()) {
          const { id, conflicts } = await restore(group)
          expect(conflicts).toEqual([])
          expect(await snapshot()).toEqual(before)
          restores.push(id!)
        }
        for (const [index, group] of restores.toReversed().entries()) {
          await restore(group)
          expect(await snapshot()).toEqual(steps[index]!.after)
        }
        undone += steps.length
      }),
      { numRuns: 30 },
    )
    expect(undone).toBeGreaterThan(50)
  })

  test('restore the rows of a plain comparison when undone in any order, or change nothing', async () => {
    const outcomes = { restored: 0, conflict: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(sequences, fc.array(fc.nat(7), { maxLength: 6 }), async (statements, order) => {
        await database.run(LOG)
        const steps = await act(statements)
        for (const index of order) {
          const step = steps[index % steps.length]
          if (!step) continue
          const before = await snapshot()
          const expected = await plainRestore(step)
          const refusal = await refusalOf(
            `set local role authenticated; select public.restore_log_change('${step.group}')`,
          )
          expect(refusal ?? 'RMT10').toMatch(/^(?:RMT10|23505|23514)$/)
          const outcome = refusal !== null ? 'refused' : expected === 'conflict' ? 'conflict' : 'restored'
          const after = await snapshot()
          expect(after.items).toEqual(outcome === 'restored' ? expected : before.items)
          outcomes[outcome]++
        }
      }),
      { numRuns: 30 },
    )
    expect(Math.min(outcomes.restored, outcomes.conflict)).toBeGreaterThan(0)
  })
})

async function plainRestore({ before, after }: Step): Promise<Record<string, string> | 'conflict'> {
  const present = await snapshot()
  const rows = { ...present.items }
  for (const key of new Set([...Object.keys(before.items), ...Object.keys(after.items)])) {
    const [old, edited, current] = [before.items[key], after.items[key], rows[key]]
    if (old === edited) continue
    if (old === undefined) {
      if (current !== undefined && current !== edited) return 'conflict'
      delete rows[key]
    } else if (edited === undefined) {
      if (current !== undefined && current !== old) return 'conflict'
      rows[key] = old
    } else {
      if (current === undefined) return 'conflict'
      const merged = await mergedRow(key.startsWith('part') ? 'parts' : 'maintenance', old, edited, current)
      if (merged === null) return 'conflict'
      rows[key] = merged
    }
  }
  return rows
}

/** Returns the current row with the edited columns' old values, or null if an edited column has changed again. */
async function mergedRow(table: string, ...versions: [string, string, string]): Promise<string | null> {
  const [old, edited, current] = (await valueOf(
    `select jsonb_build_array(${versions.map((text) => `to_jsonb(${quoted(text)}::public.${table})`).join(', ')}) as value`,
  )) as [Row, Row, Row]
  const columns = Object.keys(old).filter((key) => old[key] !== edited[key])
  if (columns.some((key) => current[key] !== old[key] && current[key] !== edited[key])) return null
  const merged = { ...current, ...Object.fromEntries(columns.map((key) => [key, old[key]])) }
  return valueOf(
    `select jsonb_populate_record(null::public.${table}, ${literal(merged)})::text as value`,
  ) as Promise<string>
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

describe('a change', () => {
  beforeEach(() => database.run(LOG))

  test('is recorded once per item, and not if nothing changed', async () => {
    await database.run(`update public.maintenance set name = name`)
    await database.run(`update public.maintenance set cost = cost + 1 where id in (1, 2)`)
    const [rows] = await database.run(
      `select row_id::integer, source, before ->> 'cost' as before, after ->> 'cost' as after,
        count(*) over (partition by group_id)::integer as group_size from public.log_changes order by id`,
    )
    expect(rows).toEqual([
      { row_id: 1, source: 'edit', before: '45.10', after: '46.10', group_size: 2 },
      { row_id: 2, source: 'edit', before: '60.00', after: '61.00', group_size: 2 },
    ])
  })

  test('is restored only once', async () => {
    await database.run('delete from public.maintenance where id = 1')
    const group = await newestGroup()
    expect((await restore(group)).restored).toBe(1)
    const once = await snapshot()
    expect(await restore(group)).toEqual({ restored: 0, conflicts: [], id: null })
    expect(await snapshot()).toEqual(once)
    const { groups } = (await asOwner('select public.trash() as value')) as { groups: Row[] }
    expect(groups).toMatchObject([
      { source: 'restore', added: 1, is_done: false },
      { id: group, source: 'edit', deleted: 1, is_done: true, bikes: [1], changes: [{ after: null }] },
    ])
  })

  test('is restored except for items that changed later', async () => {
    await act([
      `select public.import_maintenance('{"added": [{"bikeId": 1, "name": "A", "cost": 0, "dateStarted": "2024-01-03T01:00:00"},
        {"bikeId": 1, "name": "B", "cost": 0, "dateStarted": "2024-01-03T01:00:00"}], "changed": [], "records": 5, "newest": 5}')`,
    ])
    const group = await newestGroup()
    await database.run(`update public.maintenance set cost = 7 where name = 'B'`)
    const before = await snapshot()
    const refused = await restore(group)
    expect(refused).toMatchObject({ restored: 0, conflicts: [{ state: 'changed', after: { name: 'B' } }] })
    expect(await snapshot()).toEqual(before)
    expect((await restore(group, true)).restored).toBe(1)
    expect(Object.keys((await snapshot()).items).filter((key) => !key.startsWith('part'))).toHaveLength(6)
  })

  test('of one column keeps later edits of other columns', async () => {
    await database.run('update public.maintenance set cost = 99 where id = 1')
    const group = await newestGroup()
    await database.run(`update public.maintenance set name = 'Renamed' where id = 1`)
    await restore(group)
    expect(await item(1)).toMatchObject({ name: 'Renamed', cost: 45.1 })
  })

  test('of earlier usage is listed with the latest item of the part', async () => {
    await asOwner('update public.parts set earlier_distance = 1000.5 where id = 3 returning 1 as value')
    const group = await newestGroup()
    const shown = { id: 4, bikeId: 1, name: 'Saddle', earlier_moving_time: null }
    const { groups } = (await asOwner('select public.trash() as value')) as { groups: Row[] }
    const change = {
      before: { ...shown, earlier_distance: null },
      after: { ...shown, earlier_distance: 1000.5 },
    }
    expect(groups).toMatchObject([{ id: group, edited: 1, is_done: false, bikes: [1], changes: [change] }])

    await database.run('update public.parts set earlier_distance = 7 where id = 3')
    const present = { ...shown, earlier_distance: 7 }
    expect(await restore(group)).toMatchObject({ restored: 0, conflicts: [{ ...change, present }] })
    await database.run('update public.parts set earlier_distance = 1000.5 where id = 3')
    const { id } = await restore(group)
    expect(await valueOf('select earlier_distance as value from public.parts where id = 3')).toBeNull()
    expect((await restore(id)).restored).toBe(1)

    // A part's change is only listed while the log contains one of the part's items.
    await database.run(
      'delete from public.log_changes; update public.parts set earlier_distance = 1 where id = 4',
    )
    await database.run(`delete from public.maintenance where id = 5`)
    const listed = (await asOwner('select public.trash() as value')) as { groups: Row[] }
    expect(listed.groups).toMatchObject([{ deleted: 1 }])
  })

  test('that deleted an item is restored with its part and the service it paid for', async () => {
    await database.run('select public.mark_service_done(1, cost => 30)')
    const link = `select (select maintenance_id from public.service_events) as value`
    const paid = await valueOf(link)
    await database.run(`delete from public.maintenance where id = ${Number(paid)}`)
    expect(await valueOf(link)).toBeNull()
    await restore(await newestGroup())
    expect(await valueOf(link)).toBe(paid)

    await database.run('delete from public.maintenance where id = 2')
    const group = await newestGroup()
    await database.run('delete from public.parts where id = 2')
    await restore(group)
    expect(await item(2)).toMatchObject({ part_id: 2 })
  })

  test('cannot be restored if the bike is gone or the part is elsewhere', async () => {
    await database.run(
      `insert into public.bikes values (3, 'Sold'); insert into public.maintenance ("bikeId", name) values (3, 'Bell')`,
    )
    await database.run('delete from public.maintenance where "bikeId" = 3')
    const bell = await newestGroup()
    await database.run('delete from public.bikes where gear_id = 3')
    await expect(restore(bell)).rejects.toMatchObject({ code: '23503' })

    await database.run('delete from public.maintenance where id = 4')
    const saddle = await newestGroup()
    await database.run(
      `insert into public.maintenance ("bikeId", part_id, name, "dateStarted") values (2, 3, 'Saddle', '2024-01-06')`,
    )
    const before = await snapshot()
    await expect(restore(saddle)).rejects.toMatchObject({ code: 'RMT10' })
    expect(await snapshot()).toEqual(before)
  })

  test('expires after 30 days, and the next save removes it', async () => {
    await database.run('delete from public.maintenance where id = 1')
    const group = await newestGroup()
    await database.run(`update public.log_changes set changed_at = now() - interval '30 days 1 second'`)
    expect(await asOwner('select public.trash() as value')).toEqual({ groups: [] })
    await expect(restore(group)).rejects.toMatchObject({ code: 'RMT30' })
    await database.run('update public.maintenance set cost = 1 where id = 2')
    expect(await valueOf('select count(*)::integer as value from public.log_changes')).toBe(1)
  })
})

async function readPage(older: number | null) {
  const { groups } = (await asOwner(`select public.trash(${older}) as value`)) as {
    groups: { last_id: number; changes: Row[] }[]
  }
  return groups
}

test('the trash lists only deletions on request, without deletions by an Undo', async () => {
  await database.run(LOG)
  const deletions = async () =>
    ((await asOwner('select public.trash(deletions => true) as value')) as { groups: Row[] }).groups
  const replaced = await asOwner(
    `select public.change_parts('{"request_key": "00000000-0000-4000-8000-000000000099", "day": "2024-02-01", "take_off": [{"id": 1, "ended_as": "worn"}],
      "put_on": [{"replaces": 1, "type": null, "name": "B", "description": null, "cost": 0}]}') as value`,
  )
  await database.run('delete from public.maintenance where id = 5')
  const listed = await deletions()
  expect(listed).toMatchObject([{ deleted: 1, changes: [{ before: { id: 5 } }] }])
  expect(await asOwner(`select public.undo_change_parts('${JSON.stringify(replaced)}') as value`)).toBe(true)
  expect(await deletions()).toEqual(listed)
  const { groups } = (await asOwner('select public.trash() as value')) as { groups: Row[] }
  expect(groups[0]).toMatchObject({ source: 'restore', edited: 1, deleted: 1 })
})

test('the trash lists 50 changes per page, the newest first', async () => {
  await database.run(LOG)
  for (let cost = 1; cost <= 51; cost++) {
    await database.run(`update public.maintenance set cost = ${cost} where id = 5`)
  }
  const first = await readPage(null)
  expect(first).toHaveLength(50)
  expect(first[0]).toMatchObject({ changes: [{ before: { cost: 50 }, after: { cost: 51 } }] })
  const second = await readPage(first.at(-1)!.last_id)
  expect(second).toMatchObject([{ changes: [{ before: { cost: 20 }, after: { cost: 1 } }] }])
})
