import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
// oxlint-disable-next-line no-restricted-imports
import { TABLES } from '../../scripts/doctor/hosted-project.ts'
import { backupOf, restore as restoreInto, tablesOf } from '../../tests/backups.ts'
import { DELETE_ROWS } from '../../tests/database/databases.ts'
import { NOT_LINKS } from '../../tests/links.ts'
import { openMigrated } from '../../tests/postgres.ts'
import type { Database } from '../database.ts'

let database: Database
let sql: Database['sql']
beforeAll(async () => {
  database = await openMigrated()
  sql = database.sql
})
afterAll(() => database.close())

const CONTENTS = `
insert into public.bikes values (9007199254740991, 'Großes "Rad" ''s \n $$ $backup$ $backup1$ 🚲'), (1, 'Road'), (2, 'Road, added again');
insert into public.maintenance (id, "bikeId", type, name, description, cost, "dateStarted", "dateEnded") values
  (7, 1, 'Tires', 'Two
lines', null, 45.10, '2024-01-01 01:00:00', '2024-02-01 01:00:00.123456'),
  (3, 9007199254740991, null, 'Refund', '', -9999999999.99, '1900-01-01', null);
update public.maintenance set cost = 45.20 where id = 7;
insert into public.rides (id, name, gear_id, created_at, departed_at, time_zone, distance, duration, avg_watts) values
  (12, 'Far', 1, '2024-01-02 00:30:00+00', '2024-01-01 23:30:00-11', 'Asia/Kathmandu', 1234567.1234567890120, 60, -0.50),
  (11, null, null, null, null, 'UTC', 0.10, null, 1e-20);
insert into public.ride_syncs (triggered_by, outcome, finished_at, code) values
  ('owner', 'failed', now(), 'rwgps_timeout'), ('schedule', 'running', null, null);
insert into public.ride_changes (sync_id, ride_id, is_after, name, time_zone, is_stationary)
select id, 12, true, outcome, 'UTC', false from public.ride_syncs;
insert into public.settings (distance, currency) values ('km', 'EUR');
insert into public.attached_logs (former_gear_id, gear_id) values (2, 1);
insert into public.bike_details (gear_id, size, sold_on, sold_for) values (1, '56 "cm"', '2024-03-01', 1450.50);
`
const NO_ROWS = Object.fromEntries([...TABLES, 'file_contents'].map((name) => [name, []]))

beforeEach(() => sql.unsafe(DELETE_ROWS))

const restore = (text: string, replace?: boolean) => restoreInto(sql, text, replace)
const names = async () =>
  (await sql<{ name: string }[]>`select name from public.maintenance`).map(({ name }) => name)

test('exporting a restored backup gives the same bytes', async () => {
  await sql.unsafe(CONTENTS)
  const text = await backupOf(sql)
  await sql.unsafe(DELETE_ROWS)
  await restore(text)
  expect(await backupOf(sql)).toBe(text)
  expect(text).toContain('"gear_id":9007199254740991,')
  expect(text).toContain('"distance":1234567.1234567890120,')
})

test('skips computed columns and running syncs', async () => {
  await sql.unsafe(CONTENTS)
  const text = await backupOf(sql)
  expect(text).not.toContain('started_at":"2024')
  expect(text).not.toContain('running')
  await sql.unsafe(DELETE_ROWS)
  await restore(text)
  const rows = await sql.unsafe('select started_at::text from public.rides where id = 12')
  expect(rows).toEqual([{ started_at: '2024-01-02 16:15:00' }])
})

test('backs up and restores an empty tracker', async () => {
  const text = await backupOf(sql)
  await restore(text)
  expect(await backupOf(sql)).toBe(text)
})

test('backs up every table of the data API, and the bytes of files', async () => {
  const rows = await sql.unsafe<{ table: string }[]>(
    `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const tables = [...rows.map((row) => row.table), 'file_contents'].toSorted()
  expect([NO_ROWS, tablesOf(await backupOf(sql))].map((rows) => Object.keys(rows).toSorted())).toEqual([
    tables,
    tables,
  ])
})

test('items added after a restore get new ids', async () => {
  await sql.unsafe(CONTENTS)
  const text = await backupOf(sql)
  await sql.unsafe(DELETE_ROWS)
  await restore(text)
  await sql.unsafe(`select setval('public.maintenance_id_seq', 400)`)
  await restore(text, true)
  const rows = await sql.unsafe(
    `insert into public.maintenance ("bikeId", name) values (1, 'New') returning id`,
  )
  // Higher than any id in the backup and any id used before.
  expect(rows).toEqual([{ id: 401 }])
})

test('restores the trash, and new items never get the ids of deleted ones', async () => {
  await sql.unsafe(CONTENTS)
  await sql.unsafe(`
    delete from public.changes;
    insert into public.maintenance (id, "bikeId", name) values (1000, 1, 'Bell');
    delete from public.maintenance where id = 1000`)
  const text = await backupOf(sql)
  await sql.unsafe(`${DELETE_ROWS}; alter sequence public.maintenance_id_seq restart 8`)
  await restore(text)
  expect(await sql`select row_id::integer from public.changes where relation = 'maintenance'`).toEqual([
    { row_id: 1000 },
    { row_id: 1000 },
  ])
  expect(
    await sql.unsafe(
      `insert into public.maintenance ("bikeId", name) values (1, 'New') returning id::integer`,
    ),
  ).toEqual([{ id: 1001 }])
})

test('restores links, but none that could run code, and backups from before links', async () => {
  await sql.unsafe(CONTENTS)
  await sql.unsafe(`update public.maintenance set link = 'https://shop.example' where id = 7`)
  const text = await backupOf(sql)
  for (const link of NOT_LINKS)
    await expect(
      restore(
        text.replaceAll('"https://shop.example"', () => JSON.stringify(link)),
        true,
      ),
    ).rejects.toThrow('maintenance_link_check')
  expect(await backupOf(sql)).toBe(text)
  await restore(text.replaceAll(/,"link":("https:[^"]+"|null)/g, ''), true)
  expect(await sql`select link from public.maintenance`).toEqual([{ link: null }, { link: null }])
})

test('rejects a tracker with rows unless replacing them', async () => {
  await sql.unsafe(CONTENTS)
  const text = await backupOf(sql)
  await sql.unsafe(`update public.maintenance set name = 'Mine' where id = 7`)
  await expect(restore(text)).rejects.toThrow(/already has data\. .+ Nothing was changed\.$/)
  expect(await names()).toContain('Mine')
  await restore(text, true)
  expect(await backupOf(sql)).toBe(text)
})

test('restores into a tracker where only settings were chosen, and replaces them', async () => {
  await sql.unsafe(CONTENTS)
  const text = await backupOf(sql)
  await sql.unsafe(`${DELETE_ROWS}; insert into public.settings (currency) values ('CHF')`)
  await restore(text)
  expect(await backupOf(sql)).toBe(text)
})

test('a restore keeps the tokens of the tracker, and no backup contains them', async () => {
  await sql.unsafe(CONTENTS)
  await sql`insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com')`
  await sql`insert into private.access_tokens (owner_id, token_hash, name, scope)
    values ('00000000-0000-0000-0000-00000000000a', sha256('token'), 'My dashboard', 'read')`
  const text = await backupOf(sql)
  expect(text).not.toContain('My dashboard')
  await restore(text, true)
  expect(await sql`select name from private.access_tokens`).toEqual([{ name: 'My dashboard' }])
  await sql`delete from auth.users`
})

test('uses defaults for columns that an older backup lacks', async () => {
  await sql.unsafe(CONTENTS)
  const text = (await backupOf(sql))
    .replace(/"schema": "\d+"/, '"schema": "20261123000000"')
    .replaceAll('"has_map":false', '"gone":1')
    .replaceAll(',"gone":1', '')
  await sql.unsafe(DELETE_ROWS)
  await restore(text)
  const rows = await sql.unsafe('select distinct has_map from public.rides')
  expect(rows).toEqual([{ has_map: false }])
})

const fill = (name: string, distance: string) => `
  create function private.fill_${name}() returns void language sql
  as 'update public.parts set earlier_distance = ${distance}'`

describe('an older backup', () => {
  const text = JSON.stringify({
    format: 'rwgps-maintenance-tracker backup',
    version: 1,
    schema: '20990101000000',
    ...NO_ROWS,
    bikes: [{ gear_id: 1, name: 'Road' }],
    parts: [{ id: 1 }],
  })
  beforeAll(() =>
    sql.unsafe(`
      create table public.later (id bigint primary key);
      insert into supabase_migrations.schema_migrations (version, name, statements) values
        ('20990101000000', 'first', '{}'),
        ('20990102000000', 'second', array['select 1', 'CREATE TABLE "public"."later" (id bigint)']),
        ('20990103000000', 'third', '{}'), ('20990104000000', 'fourth', '{}');
      ${fill('first', '-1')}; ${fill('third', 'earlier_distance + 5')}; ${fill('second', '100')}`),
  )
  afterAll(() =>
    sql.unsafe(`
      drop table public.later;
      drop function private.fill_first; drop function private.fill_second; drop function private.fill_third;
      delete from supabase_migrations.schema_migrations where version > '2099'`),
  )

  test('leaves newer tables empty, and gets what later migrations filled, in order', async () => {
    await sql`insert into public.later values (1)`
    await restore(text, true)
    expect(await sql`select from public.later`).toHaveLength(0)
    expect(await sql`select earlier_distance from public.parts`).toEqual([{ earlier_distance: 105 }])
    expect(await sql`select from public.changes`).toHaveLength(0)
  })

  test.each([
    ['20990102000000', 'later'],
    ['20990101000000', 'parts'],
  ])('of version %s must have the table %s', async (schema, table) => {
    const { [table]: _, ...tables } = JSON.parse(text) as Record<string, unknown>
    await expect(restore(JSON.stringify({ ...tables, schema }))).rejects.toThrow(`${table} is missing`)
  })
})

describe('rejects', () => {
  const valid = {
    format: 'rwgps-maintenance-tracker backup',
    version: 1,
    schema: '20261123101700',
    ...NO_ROWS,
    bikes: [{ gear_id: 1, name: 'Road' }],
    maintenance: [{ id: 1, bikeId: 1, name: 'Chain', cost: 1, dateStarted: '2024-01-01T01:00:00' }],
    rides: [{ id: 1, distance: 1 }],
    ride_syncs: [{ id: 1, triggered_by: 'owner', outcome: 'ok', finished_at: '2024-01-01T01:00:00Z' }],
  }
  const row = valid.maintenance[0]!
  const sync = valid.ride_syncs[0]!

  test.each<[string, unknown, RegExp]>([
    ['other JSON', { hello: 'world' }, /wasn't written by this tracker/],
    ['null', null, /wasn't written by this tracker/],
    ['a later format', { ...valid, version: 2 }, /its format version is 2/],
    ['no schema', { ...valid, schema: undefined }, /schema/],
    ['another table', { ...valid, users: [] }, /users is invalid/],
    ['no tables', { format: valid.format, version: 1, schema: valid.schema }, /bikes is missing/],
    ['a missing table', { ...valid, rides: undefined }, /rides is missing/],
    ['no service tasks', { ...valid, service_tasks: undefined }, /service_tasks is missing/],
    ['an earlier preview', { ...valid, schema: '20261122101600' }, /commit 3b84a2e3/],
    ...['NaN', 'Infinity', '-Infinity'].map((distance): [string, unknown, RegExp] => [
      `a distance of ${distance}`,
      { ...valid, rides: [{ id: 1, distance }] },
      new RegExp(`rides\\.distance is out of range \\(${distance}\\)`),
    ]),
    ['an average of NaN', { ...valid, rides: [{ id: 1, avg_watts: 'NaN' }] }, /rides\.avg_watts/],
    [
      'a negative distance',
      { ...valid, rides: [{ id: 1, distance: -0.1 }] },
      /negative distance or time \(-0\.1\)/,
    ],
    [
      'a negative time',
      { ...valid, rides: [{ id: 1, moving_time: -1 }] },
      /negative distance or time \(-1\)/,
    ],
    [
      'a ride id that JavaScript rounds',
      { ...valid, rides: [{ id: '9007199254740992' }] },
      /rides\.id is out of range/,
    ],
    [
      'a photo id that JavaScript rounds',
      { ...valid, rides: [{ id: 1, highlighted_photo_id: '-9007199254740992' }] },
      /rides\.highlighted_photo_id is out of range/,
    ],
    [
      'the highest bigint as an id',
      { ...valid, maintenance: [{ ...row, id: '9223372036854775807' }] },
      /maintenance\.id is out of range \(9223372036854775807\)/,
    ],
    [
      'ids that leave none for new rows',
      { ...valid, ride_syncs: [{ ...sync, id: 2 ** 52 + 1 }] },
      /the ids of ride_syncs are too high/,
    ],
    ['a row that is a number', { ...valid, bikes: [1] }, /bikes\.0 is invalid/],
    [
      'rows with different columns',
      { ...valid, bikes: [{ gear_id: 1 }, { name: 'Road' }] },
      /bikes\.1 has different fields/,
    ],
    ['a newer schema', { ...valid, schema: '20991231235959' }, /newer version/],
    ['an unknown column', { ...valid, bikes: [{ gear_id: 1, name: 'Road', wings: 2 }] }, /wings/],
    ['SQL as a column name', { ...valid, bikes: [{ 'name") select 1; --': 1 }] }, /does not exist/],
    ['an item of a missing bike', { ...valid, maintenance: [{ ...row, bikeId: 2 }] }, /foreign key/],
    ['a duplicate item', { ...valid, maintenance: [row, row] }, /duplicate key/],
    ['an invalid date', { ...valid, maintenance: [{ ...row, dateStarted: 'x' }] }, /invalid input syntax/],
  ])('%s with a message and changes nothing', async (_, contents, message) => {
    await sql.unsafe(CONTENTS)
    const before = await backupOf(sql)
    const attempt = restore(JSON.stringify(contents), true)
    await expect(attempt).rejects.toThrow(message)
    await expect(attempt).rejects.toThrow(/^[^\n]+othing was changed\.$/)
    expect(await backupOf(sql)).toBe(before)
  })

  test('nothing when the file is valid', async () => {
    await restore(JSON.stringify(valid))
    expect(await names()).toEqual(['Chain'])
  })

  test('half a file', async () => {
    const text = await backupOf(sql)
    await expect(restore(text.slice(0, -3))).rejects.toThrow(
      "backup.json can't be restored: it isn't complete, valid JSON. Nothing was changed.",
    )
  })
})
