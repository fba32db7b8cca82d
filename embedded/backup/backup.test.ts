import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMigrated } from '../../tests/postgres.ts'
import type { Database } from '../database.ts'
import { exportBackup } from './export.ts'
import { parseBackup } from './file.ts'
import { restoreBackup } from './restore.ts'
import { TABLES } from './tables.ts'

let database: Database
let sql: Database['sql']
beforeAll(async () => {
  database = await openMigrated()
  sql = database.sql
})
afterAll(() => database.close())

const CONTENTS = `
insert into public.bikes values (9007199254740991, 'Großes "Rad" ''s \n $$ $backup$ $backup1$ 🚲'), (1, 'Road');
insert into public.maintenance (id, "bikeId", type, name, description, cost, "dateStarted", "dateEnded") values
  (7, 1, 'Tires', 'Two
lines', null, 45.10, '2024-01-01 01:00:00', '2024-02-01 01:00:00.123456'),
  (3, 9007199254740991, null, 'Refund', '', -9999999999.99, '1900-01-01', null);
insert into public.rides (id, name, gear_id, created_at, departed_at, time_zone, distance, duration, avg_watts) values
  (12, 'Far', 1, '2024-01-02 00:30:00+00', '2024-01-01 23:30:00-11', 'Asia/Kathmandu', 1234567.1234567890120, 60, -0.50),
  (11, null, null, null, null, 'UTC', 0.10, null, 1e-20);
insert into public.ride_syncs (triggered_by, outcome, finished_at, code) values
  ('owner', 'failed', now(), 'rwgps_timeout'), ('schedule', 'running', null, null);
`
const EMPTY = TABLES.map(({ name }) => `delete from public.${name};`)
  .toReversed()
  .join('')

beforeEach(() => sql.unsafe(EMPTY))

const restore = (text: string, replace = false) => restoreBackup(sql, parseBackup(text, 'it'), { replace })
const names = async () =>
  (await sql<{ name: string }[]>`select name from public.maintenance`).map(({ name }) => name)

test('a backup, restored, gives the same bytes again', async () => {
  await sql.unsafe(CONTENTS)
  const text = await exportBackup(sql)
  await sql.unsafe(EMPTY)
  await restore(text)
  expect(await exportBackup(sql)).toBe(text)
  expect(text).toContain('"gear_id":9007199254740991,')
  expect(text).toContain('"distance":1234567.1234567890120,')
})

test('what PostgreSQL computes is computed again, and a running refresh is left out', async () => {
  await sql.unsafe(CONTENTS)
  const text = await exportBackup(sql)
  expect(text).not.toContain('started_at":"2024')
  expect(text).not.toContain('running')
  await sql.unsafe(EMPTY)
  await restore(text)
  const rows = await sql.unsafe('select started_at::text from public.rides where id = 12')
  expect(rows).toEqual([{ started_at: '2024-01-02 16:15:00' }])
})

test('an empty tracker gives a backup too, which can be restored', async () => {
  const text = await exportBackup(sql)
  await restore(text)
  expect(await exportBackup(sql)).toBe(text)
})

test('every table of the data API is in a backup', async () => {
  const rows = await sql.unsafe<{ table: string }[]>(
    `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  expect(rows.map((row) => row.table)).toEqual(TABLES.map(({ name }) => name).toSorted())
})

test('records that are made afterwards get numbers of their own', async () => {
  await sql.unsafe(CONTENTS)
  const text = await exportBackup(sql)
  await sql.unsafe(EMPTY)
  await restore(text)
  await sql.unsafe(`select setval('public.maintenance_id_seq', 400)`)
  await restore(text, true)
  const rows = await sql.unsafe(
    `insert into public.maintenance ("bikeId", name) values (1, 'New') returning id`,
  )
  // Beyond those of the backup, and never one that was given out before.
  expect(rows).toEqual([{ id: 401 }])
})

test('a tracker with rows is left as it is, unless its contents are to be replaced', async () => {
  await sql.unsafe(CONTENTS)
  const text = await exportBackup(sql)
  await sql.unsafe(`update public.maintenance set name = 'Mine' where id = 7`)
  await expect(restore(text)).rejects.toThrow(/already; .+ Nothing was changed\.$/)
  expect(await names()).toContain('Mine')
  await restore(text, true)
  expect(await exportBackup(sql)).toBe(text)
})

test('a backup of an older schema gets the defaults of what it does not have', async () => {
  await sql.unsafe(CONTENTS)
  const text = (await exportBackup(sql))
    .replace(/"schema": "\d+"/, '"schema": "20261120090500"')
    .replaceAll('"has_map":false', '"left":1')
    .replaceAll(',"left":1', '')
  await sql.unsafe(EMPTY)
  await restore(text)
  const rows = await sql.unsafe('select distinct has_map from public.rides')
  expect(rows).toEqual([{ has_map: false }])
})

test('columns that were dropped since are ignored', async () => {
  const text = `{"format": "rwgps-maintenance-tracker backup", "version": 1, "schema": "20261120090700",
    "bikes": [], "maintenance": [], "rides": [],
    "ride_syncs": [{"id": 7, "started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z",
      "triggered_by": "owner", "outcome": "ok", "found_empty": true}]}`
  await restore(text)
  expect(await sql`select id::integer, outcome from public.ride_syncs`).toEqual([{ id: 7, outcome: 'ok' }])
})

describe('a file that is none', () => {
  const whole = {
    format: 'rwgps-maintenance-tracker backup',
    version: 1,
    schema: '20261120090600',
    bikes: [{ gear_id: 1, name: 'Road' }],
    maintenance: [{ id: 1, bikeId: 1, name: 'Chain', cost: 1, dateStarted: '2024-01-01T01:00:00' }],
    rides: [{ id: 1, distance: 1 }],
    ride_syncs: [{ id: 1, triggered_by: 'owner', outcome: 'ok', finished_at: '2024-01-01T01:00:00Z' }],
  }
  const row = whole.maintenance[0]!
  const sync = whole.ride_syncs[0]!

  test.each<[string, unknown, RegExp]>([
    ['other JSON', { hello: 'world' }, /not written by this tracker/],
    ['no object', null, /not written by this tracker/],
    ['a later format', { ...whole, version: 2 }, /its format is 2/],
    ['no schema', { ...whole, schema: undefined }, /schema/],
    ['another table', { ...whole, users: [] }, /users is not as it should be/],
    ['no table', { format: whole.format, version: 1, schema: whole.schema }, /bikes is missing/],
    ['a table short', { ...whole, rides: undefined }, /rides is missing/],
    ['a misspelled dropped column', { ...whole, ride_syncs: [{ ...sync, found_emty: 1 }] }, /found_emty/],
    [
      'a dropped column elsewhere',
      { ...whole, bikes: [{ gear_id: 1, name: 'Road', found_empty: 1 }] },
      /found_empty/,
    ],
    ...['NaN', 'Infinity', '-Infinity'].map((distance): [string, unknown, RegExp] => [
      `a distance of ${distance}`,
      { ...whole, rides: [{ id: 1, distance }] },
      new RegExp(`rides\\.distance is out of range \\(${distance}\\)`),
    ]),
    ['an average that is no number', { ...whole, rides: [{ id: 1, avg_watts: 'NaN' }] }, /rides\.avg_watts/],
    [
      'a negative distance',
      { ...whole, rides: [{ id: 1, distance: -0.1 }] },
      /negative distance or time \(-0\.1\)/,
    ],
    [
      'a negative time',
      { ...whole, rides: [{ id: 1, moving_time: -1 }] },
      /negative distance or time \(-1\)/,
    ],
    [
      'a ride id that JavaScript rounds',
      { ...whole, rides: [{ id: '9007199254740992' }] },
      /rides\.id is out of range/,
    ],
    [
      'a photo id that JavaScript rounds',
      { ...whole, rides: [{ id: 1, highlighted_photo_id: '-9007199254740992' }] },
      /rides\.highlighted_photo_id is out of range/,
    ],
    [
      'the last id of all',
      { ...whole, maintenance: [{ ...row, id: '9223372036854775807' }] },
      /maintenance\.id is out of range \(9223372036854775807\)/,
    ],
    [
      'ids that leave none',
      { ...whole, ride_syncs: [{ ...sync, id: 2 ** 52 + 1 }] },
      /ride_syncs has ids so high/,
    ],
    ['a row that is none', { ...whole, bikes: [1] }, /bikes\.0 is not as it should be/],
    [
      'rows that differ',
      { ...whole, bikes: [{ gear_id: 1 }, { name: 'Road' }] },
      /bikes\.1 has other fields/,
    ],
    ['a newer schema', { ...whole, schema: '20991231235959' }, /newer version/],
    ['an unknown column', { ...whole, bikes: [{ gear_id: 1, name: 'Road', wings: 2 }] }, /wings/],
    ['SQL for a column', { ...whole, bikes: [{ 'name") select 1; --': 1 }] }, /does not exist/],
    ['a record of no bike', { ...whole, maintenance: [{ ...row, bikeId: 2 }] }, /foreign key/],
    ['a record twice', { ...whole, maintenance: [row, row] }, /duplicate key/],
    [
      'a date that is none',
      { ...whole, maintenance: [{ ...row, dateStarted: 'x' }] },
      /invalid input syntax/,
    ],
  ])('%s is refused in a sentence, and nothing is changed', async (_, contents, words) => {
    await sql.unsafe(CONTENTS)
    const before = await exportBackup(sql)
    const attempt = Promise.resolve().then(() => restore(JSON.stringify(contents), true))
    await expect(attempt).rejects.toThrow(words)
    await expect(attempt).rejects.toThrow(/^[^\n]+othing was changed\.$/)
    expect(await exportBackup(sql)).toBe(before)
  })

  test('the file that they are made from is one', async () => {
    await restore(JSON.stringify(whole))
    expect(await names()).toEqual(['Chain'])
  })

  test('half a file is refused', async () => {
    const text = await exportBackup(sql)
    expect(() => parseBackup(text.slice(0, -3), 'half.json')).toThrow(
      'half.json is no backup that can be restored: it is not whole, or no JSON; nothing was changed.',
    )
  })
})
