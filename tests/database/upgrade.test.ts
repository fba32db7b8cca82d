import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportBackup } from '../../embedded/backup/export.ts'
import { readBackupFile } from '../../embedded/backup/file.ts'
import { restoreBackup } from '../../embedded/backup/restore.ts'
import { applyMigrations } from '../../embedded/migrations.ts'
import { MIGRATIONS, readMigrations } from '../../embedded/migration-files.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { upgradeScript } from '../../embedded/upgrade.ts'
import { supabase } from '../../scripts/supabase-cli.ts'
import { temporaryFolder } from '../running.ts'
import { BACKUP_BEFORE_10, EDITS_BEFORE_10, migrationsBefore10 } from '../version-before-1.0.ts'
import { catalog } from './catalog.ts'
import { openPlain } from './databases.ts'

const previous = await migrationsBefore10()
const migrations = await readMigrations(MIGRATIONS)

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
})

/** Opens a database like a new Supabase project's. `settings` apply to later sessions. */
async function open(settings?: string) {
  const database = await openPlain()
  if (settings) await database.run(settings)
  const sql = connect(database.url)
  cleanups.push(
    () => database.close(),
    () => sql.end(),
  )
  return { url: database.url, sql }
}

async function openPrevious(settings?: string) {
  const database = await open(settings)
  await applyMigrations(database.sql, previous)
  await database.sql`insert into auth.users (id) values (gen_random_uuid())`
  await database.sql.unsafe(EDITS_BEFORE_10)
  return { ...database, tables: await tablesOf(database.sql) }
}

type Tables = { name: string; columns: string; identity: string | null }[]

async function tablesOf(sql: Sql): Promise<Tables> {
  return sql<Tables>`
    select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns,
      max(attname) filter (where attidentity <> '') as identity
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where nspname in ('public', 'private') and relkind = 'r' and attnum > 0 group by 1 order by 1`
}

const textsOf = async (sql: Sql, query: string) => (await sql.unsafe(query).values()).flat()

async function contentsOf(sql: Sql, tables: Tables) {
  const contents: Record<string, unknown[]> = {}
  for (const { name, columns, identity } of tables) {
    const rows = `select row_to_json(copied)::text from (select ${columns} from ${name}) as copied order by 1`
    contents[name] = await textsOf(sql, rows)
    if (!identity) continue
    const [sequence] = await textsOf(sql, `select pg_get_serial_sequence('${name}', '${identity}')`)
    contents[sequence] = await textsOf(sql, `select last_value, is_called from ${sequence}`)
  }
  return contents
}

const historyOf = async (sql: Sql) => [
  ...(await sql`select * from supabase_migrations.schema_migrations order by version`),
]

test('an upgraded database has the catalog of a new one, and every row', async () => {
  const fresh = await open()
  await applyMigrations(fresh.sql, migrations)
  const upgraded = await openPrevious()
  // Add a row that a trigger would change.
  await upgraded.sql.unsafe(`
    alter table public.maintenance disable trigger user;
    update public.maintenance set description = '' where id = 4;
    alter table public.maintenance enable trigger user`)
  const before = await contentsOf(upgraded.sql, upgraded.tables)
  expect(upgraded.tables).toHaveLength(15)
  for (const { name } of upgraded.tables) expect([name, before[name]]).not.toEqual([name, []])

  expect(await applyMigrations(upgraded.sql, migrations)).toEqual(migrations.map(({ version }) => version))
  const expected = await catalog(fresh.sql)
  expect(expected.length).toBeGreaterThan(1000)
  expect(await catalog(upgraded.sql)).toEqual(expected)
  expect(await contentsOf(upgraded.sql, upgraded.tables)).toEqual(before)

  expect(await historyOf(upgraded.sql)).toEqual(await historyOf(fresh.sql))
  expect(await applyMigrations(upgraded.sql, migrations)).toEqual([])
  // The upgrade has turned the triggers on again.
  await upgraded.sql`update public.maintenance set description = ' ' where id = 1`
  const [change] = await upgraded.sql`select after from public.log_changes order by id desc limit 1`
  expect(change!.after).toMatchObject({ id: 1, description: null })
})

test('on hosted Supabase, the script needs no superuser', async () => {
  const role = `hosted_${randomUUID().replaceAll('-', '')}`
  const admin = await open()
  await admin.sql.unsafe(`create role ${role}; grant ${role} to current_user`)
  cleanups.push(() => admin.sql.unsafe(`drop role ${role}`))
  // On hosted Supabase, the "postgres" role owns neither auth.users nor the server.
  const asRole = `
    grant usage on schema auth to ${role}; grant select, insert, references, trigger on auth.users to ${role};
    grant all on schema public to ${role};
    alter default privileges for role ${role} in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges for role ${role} in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges for role ${role} in schema public grant all on functions to anon, authenticated, service_role;
    do $$ begin
      execute format('grant create on database %I to ${role}', current_database());
      execute format('alter role current_user in database %I set role = ${role}', current_database());
    end $$`
  const [fresh, upgraded] = await Promise.all([open(asRole), openPrevious(asRole)])
  const [session] = await upgraded.sql`
    select current_user::text, rolsuper, pg_has_role(current_user, (select relowner from pg_class where oid = 'auth.users'::regclass), 'usage') as owns_users
    from pg_roles where rolname = current_user`
  expect(session).toEqual({ current_user: role, rolsuper: false, owns_users: false })
  const before = await contentsOf(upgraded.sql, upgraded.tables)

  const { folder, remove } = await temporaryFolder()
  cleanups.push(remove)
  const file = path.join(folder, 'upgrade.sql')
  await writeFile(file, await upgradeScript(migrations))
  await supabase('db', 'query', '--yes', '--file', file, `--remote=${upgraded.url}`)
  await supabase('db', 'push', '--yes', `--remote=${fresh.url}`)
  expect(await catalog(upgraded.sql)).toEqual(await catalog(fresh.sql))
  expect(await contentsOf(upgraded.sql, upgraded.tables)).toEqual(before)
  const push = await supabase('db', 'push', '--yes', `--remote=${upgraded.url}`)
  expect(push.stdout + push.stderr).toMatch(/up to date/)
})

describe('leaves a database unchanged', () => {
  let previousDatabase: Awaited<ReturnType<typeof openPrevious>>
  beforeAll(async () => {
    previousDatabase = await openPrevious()
  })

  async function attemptUpgrade(applied = migrations) {
    const { sql, tables } = previousDatabase
    const state = async () => [await catalog(sql), await contentsOf(sql, tables), await historyOf(sql)]
    const before = await state()
    const message = await applyMigrations(sql, applied).then(String, (error: Error) => error.message)
    return { message, before, after: await state() }
  }

  const version = '20261121176620'
  test.each<[string, string, RegExp, string]>([
    [
      'that lacks a migration of the version before',
      `delete from supabase_migrations.schema_migrations where version = '${version}'`,
      /^The database can't be upgraded, because its migrations are not those of the version before 1\.0\. Nothing was changed\. Or move the data/,
      `insert into supabase_migrations.schema_migrations (version) values ('${version}')`,
    ],
    [
      'with a migration of its own',
      `insert into supabase_migrations.schema_migrations (version) values ('20261121999999')`,
      /its migrations are not those of the version before/,
      `delete from supabase_migrations.schema_migrations where version = '20261121999999'`,
    ],
    [
      'with a column of its own',
      'alter table public.bikes add color text',
      /changed by hand: public\.bikes\. /,
      'alter table public.bikes drop color',
    ],
    [
      'with a private column of its own',
      'alter table private.owner add color text',
      /changed by hand: private\.owner\. /,
      'alter table private.owner drop color',
    ],
    [
      'with a trigger and an index of its own',
      `create trigger mine after update on public.maintenance for each row execute function suppress_redundant_updates_trigger();
      create index mine on public.rides (name)`,
      /changed by hand: public\.maintenance, public\.rides\. /,
      'drop trigger mine on public.maintenance; drop index public.mine',
    ],
    [
      'with a view of a table',
      'create view public.mine as select id from public.maintenance',
      /something else uses the tracker's tables or functions: view mine depends on table public\.maintenance\. Remove it first\. Nothing/,
      'drop view public.mine',
    ],
    [
      'with a foreign key to a table',
      'create table public.mine (gear_id bigint references public.bikes)',
      /constraint mine_gear_id_fkey on table mine depends on table public\.bikes\. /,
      'drop table public.mine',
    ],
    [
      'with a policy that calls a function',
      'create table public.mine (); create policy mine on public.mine using (private.is_owner())',
      /policy mine on table mine depends on function private\.is_owner\(\)\. /,
      'drop table public.mine',
    ],
    [
      'with a private table of its own',
      'create table private.mine ()',
      /table private\.mine depends on schema private\. /,
      'drop table private.mine',
    ],
    [
      'with a private function of its own',
      'create function private.mine() returns void language sql as $$ $$',
      /function private\.mine\(\) depends on schema private\. /,
      'drop function private.mine()',
    ],
  ])('%s', async (_, change, message, undo) => {
    await previousDatabase.sql.unsafe(change)
    const attempt = await attemptUpgrade()
    await previousDatabase.sql.unsafe(undo)
    expect(attempt.message).toMatch(message)
    expect(attempt.after).toEqual(attempt.before)
  })

  test.each<[string, string, RegExp]>([
    [
      'if a migration fails',
      'delete from public.bikes; select 1 / 0',
      /^The upgrade failed and was undone: division by zero\.$/,
    ],
    [
      'if a copied row differs',
      `create rule change as on insert to public.bikes do also update public.bikes set name = 'x'`,
      /^The upgrade failed and was undone: the rows of public\.bikes differ after copying them\.$/,
    ],
  ])('%s', async (_, sql, message) => {
    const attempt = await attemptUpgrade([...migrations, { version: '20990101000000', name: 'break', sql }])
    expect(attempt.message).toMatch(message)
    expect(attempt.after).toEqual(attempt.before)
  })
})

test('restores a backup of the version before 1.0', async () => {
  const { sql } = await open()
  await applyMigrations(sql, migrations)
  const backup = await readBackupFile(BACKUP_BEFORE_10)
  await restoreBackup(sql, backup, { replace: false })
  const { schema, ...restored } = JSON.parse(await exportBackup(sql))
  const { schema: schemaBefore, ...before } = JSON.parse(backup.text)
  expect([schemaBefore, schema]).toEqual(['20261121176620', migrations.at(-1)!.version])
  expect(restored).toMatchObject(before)
})
