import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROLES } from '../../embedded/postgres/roles.ts'
import {
  appliedVersions,
  applyMigrations,
  prepareUpgrade,
  readMigrations,
} from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { openPlain, type TestDatabase } from './databases.ts'

const migrations = await readMigrations()
let database: TestDatabase
let sql: ReturnType<typeof connect>
beforeEach(async () => {
  database = await openPlain()
  sql = connect(database.url)
})
afterEach(async () => {
  await sql.end()
  await database.close()
})

const owners = async () => (await sql`select user_id from private.owner`).map(({ user_id }) => user_id)

const first = '00000000-0000-0000-0000-00000000000a'
const second = '00000000-0000-0000-0000-00000000000b'

test('the only account of an existing project becomes the owner', async () => {
  await sql.unsafe(
    `insert into auth.users (id, is_anonymous) values (gen_random_uuid(), true), ('${first}', false)`,
  )
  await applyMigrations(sql, migrations)
  expect(await owners()).toEqual([first])
})

test('makes nobody the owner if several accounts exist, not even a later account', async () => {
  await sql.unsafe(`insert into auth.users (id) values ('${first}'), ('${second}')`)
  await applyMigrations(sql, migrations)
  expect(await owners()).toEqual([])
  await expect(sql.unsafe('insert into auth.users (id) values (gen_random_uuid())')).rejects.toThrow(
    /private\.owner/,
  )
})

test('trackers on the same server can start at the same time', async () => {
  const other = await openPlain()
  await sql.begin(async (start) => {
    await start.unsafe(ROLES)
    await expect(other.run(`set lock_timeout = '5s'; ${ROLES}`)).resolves.toBeDefined()
  })
  await other.close()
})

test('what a later migration creates is closed to every API role until it grants rights', async () => {
  await applyMigrations(sql, migrations)
  const created = ['public', 'private'].map(
    (schema) => `
      create table ${schema}.later (id bigint generated always as identity, name text);
      create view ${schema}.later_view as select * from ${schema}.later;
      create function ${schema}.later() returns int language sql as 'select 1';`,
  )
  await sql.unsafe(created.join(''))
  const open = await sql`
    select role, kind, nspname from pg_namespace cross join unnest(array['public', 'anon', 'authenticated', 'service_role']) as role
    cross join lateral (values
      ('table', has_table_privilege(role, format('%I.later', nspname), 'select, insert, update, delete, truncate, references, trigger')),
      ('columns', has_any_column_privilege(role, format('%I.later', nspname), 'select, insert, update, references')),
      ('view', has_table_privilege(role, format('%I.later_view', nspname), 'select, insert, update, delete, truncate, references, trigger')),
      ('sequence', has_sequence_privilege(role, format('%I.later_id_seq', nspname), 'usage, select, update')),
      ('function', has_function_privilege(role, format('%I.later()', nspname), 'execute'))
    ) as rights (kind, is_allowed)
    where nspname in ('public', 'private') and is_allowed`
  expect([...open]).toEqual([])
})

test('applies all migrations or none, so the next start can open what a killed one left', async () => {
  const broken = { version: '20990101000000', name: 'break', sql: 'select 1 / 0' }
  await expect(applyMigrations(sql, [...migrations, broken])).rejects.toThrow(
    'Migration 20990101000000_break failed and was undone: division by zero',
  )
  expect(await appliedVersions(sql)).toEqual([])
  await prepareUpgrade(sql, '/nonexistent/backup', migrations)
  expect(await applyMigrations(sql, migrations)).toHaveLength(migrations.length)
})
