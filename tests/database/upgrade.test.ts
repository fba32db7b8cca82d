import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exportBackup } from '../../embedded/backup/export.ts'
import { parseBackup } from '../../embedded/backup/file.ts'
import { restoreBackup } from '../../embedded/backup/restore.ts'
import { applyMigrations, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { type Migration, upgradeScript } from '../../embedded/upgrade.ts'
import { supabase } from '../../scripts/supabase-cli.ts'
import { createEmpty } from '../postgres.ts'
import { temporaryFolder } from '../running.ts'
import { PREVIEW_BACKUP, PREVIEW_OWNER, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { catalog } from './catalog.ts'
import { openCopy, openPlain, PLAIN, type TestDatabase } from './databases.ts'

const migrations = await readMigrations()

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
})

function sessionOf(database: TestDatabase) {
  const sql = connect(database.url)
  cleanups.push(
    () => database.close(),
    () => sql.end(),
  )
  return { url: database.url, sql }
}

/** Opens a database like a new Supabase project's. `settings` apply to later sessions. */
async function open(settings = '') {
  const database = await openPlain()
  await database.run(settings)
  return sessionOf(database)
}

async function migrateToPreview(sql: Sql) {
  await applyMigrations(sql, previewMigrations)
  await sql.unsafe(`insert into auth.users (id) values ('${PREVIEW_OWNER}'); ${PREVIEW_ROWS}`)
}

// Copying a database of the preview is faster than applying its migrations again.
const original = await createEmpty()
cleanups.push(original.drop)
const session = connect(original.url)
await session.unsafe(PLAIN)
await migrateToPreview(session)
await session.end()

async function openPreview() {
  const database = sessionOf(await openCopy(original.url))
  return { ...database, tables: await tablesOf(database.sql) }
}

type Tables = { name: string; columns: string[]; identity: string | null }[]

async function tablesOf(sql: Sql): Promise<Tables> {
  return sql<Tables>`
    select format('%I.%I', nspname, relname) as name, array_agg(attname::text order by attnum) as columns,
      max(attname) filter (where attidentity <> '') as identity
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where nspname in ('public', 'private') and relkind = 'r' and attnum > 0 group by 1 order by 1`
}

// The names that tables and columns have now, by their names in the preview.
const NEW_NAMES: Record<string, string> = {
  'public.log_changes': 'public.changes',
  log_changes: 'changes',
  group_id: 'change',
  missed_by: 'missing_since_sync',
  set_aside: 'skipped',
  waiting: 'pending_removals',
  waiting_from: 'pending_since',
  doubt: 'mismatch',
}
const newName = (name: string) => NEW_NAMES[name] ?? name

const textsOf = async (sql: Sql, query: string) => (await sql.unsafe(query).values()).flat()

/** Leaves only the part in a task's change, as in the preview. */
function withPartsOnly(line: string): string {
  const row = JSON.parse(line) as {
    relation?: string
    before: { part_id: number }
    after: { part_id: number }
  }
  if (row.relation !== 'service_tasks') return line
  const [before, after] = [row.before, row.after].map(({ part_id }) => ({ part_id }))
  return JSON.stringify({ ...row, before, after })
}

/** Reads the preview's tables and columns, which have other names now if `nameOf` says so. */
async function contentsOf(sql: Sql, tables: Tables, nameOf: (name: string) => string = String) {
  const contents: Record<string, unknown[]> = {}
  for (const { name, columns, identity } of tables) {
    const selected = columns.map((column) => `"${nameOf(column)}" as "${column}"`).join(', ')
    const rows = `select row_to_json(copied)::text from (select ${selected} from ${nameOf(name)}) as copied order by 1`
    contents[name] = (await textsOf(sql, rows)).map(withPartsOnly)
    if (!identity) continue
    const [sequence] = await textsOf(sql, `select pg_get_serial_sequence('${nameOf(name)}', '${identity}')`)
    contents[`ids of ${name}`] = await textsOf(sql, `select last_value, is_called from ${sequence}`)
  }
  return contents
}

const historyOf = async (sql: Sql) => [
  ...(await sql`select * from supabase_migrations.schema_migrations order by version`),
]

test('an upgraded database has the catalog of a new one, and every row', async () => {
  const fresh = await open()
  await applyMigrations(fresh.sql, migrations)
  const upgraded = await openPreview()
  // Add a row that a trigger would change.
  await upgraded.sql.unsafe(`
    alter table public.maintenance disable trigger user;
    update public.maintenance set description = '' where id = 4;
    alter table public.maintenance enable trigger user`)
  const before = await contentsOf(upgraded.sql, upgraded.tables)
  expect(upgraded.tables).toHaveLength(16)
  for (const { name } of upgraded.tables) expect([name, before[name]]).not.toEqual([name, []])

  expect(await applyMigrations(upgraded.sql, migrations)).toEqual(migrations.map(({ version }) => version))
  const expected = await catalog(fresh.sql)
  expect(expected.length).toBeGreaterThan(1000)
  expect(await catalog(upgraded.sql)).toEqual(expected)
  expect(await contentsOf(upgraded.sql, upgraded.tables, newName)).toEqual(before)

  expect(await historyOf(upgraded.sql)).toEqual(await historyOf(fresh.sql))
  expect(await applyMigrations(upgraded.sql, migrations)).toEqual([])
  // The upgrade has turned the triggers on again.
  await upgraded.sql`update public.maintenance set description = ' ' where id = 12`
  const [change] =
    await upgraded.sql`select after from ${upgraded.sql(newName('public.log_changes'))} order by id desc limit 1`
  expect(change!.after).toMatchObject({ id: 12, description: null })
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
    -- Supabase adds this function to new projects.
    create function public.rls_auto_enable() returns event_trigger language plpgsql as 'begin end';
    create table auth.mfa_factors (user_id uuid, status text); grant select on auth.mfa_factors to ${role};
    insert into auth.mfa_factors values ('${PREVIEW_OWNER}', 'verified');
    alter default privileges for role ${role} in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges for role ${role} in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges for role ${role} in schema public grant all on functions to anon, authenticated, service_role;
    do $$ begin
      execute format('grant create on database %I to ${role}', current_database());
      execute format('alter role current_user in database %I set role = ${role}', current_database());
    end $$`
  const [fresh, upgraded] = await Promise.all([open(asRole), open(asRole)])
  await migrateToPreview(upgraded.sql)
  const tables = await tablesOf(upgraded.sql)
  const [session] = await upgraded.sql`
    select current_user::text, rolsuper, pg_has_role(current_user, (select relowner from pg_class where oid = 'auth.users'::regclass), 'usage') as owns_users
    from pg_roles where rolname = current_user`
  expect(session).toEqual({ current_user: role, rolsuper: false, owns_users: false })
  const before = await contentsOf(upgraded.sql, tables)

  const { folder, remove } = await temporaryFolder()
  cleanups.push(remove)
  const file = path.join(folder, 'upgrade.sql')
  await writeFile(file, await upgradeScript(migrations))
  await supabase('db', 'query', '--yes', '--file', file, `--remote=${upgraded.url}`)
  await supabase('db', 'push', '--yes', `--remote=${fresh.url}`)
  expect(await catalog(upgraded.sql)).toEqual(await catalog(fresh.sql))
  expect(await contentsOf(upgraded.sql, tables, newName)).toEqual(before)
  const isOwner = async (aal: string) =>
    textsOf(
      upgraded.sql,
      `select private.is_owner() from set_config('request.jwt.claims', '{"sub": "${PREVIEW_OWNER}", "aal": "${aal}"}', false)`,
    )
  expect([await isOwner('aal1'), await isOwner('aal2')]).toEqual([[false], [true]])
  const push = await supabase('db', 'push', '--yes', `--remote=${upgraded.url}`)
  expect(push.stdout + push.stderr).toMatch(/up to date/)
})

describe('leaves a database unchanged', () => {
  const broken = { version: '20990101000000', name: 'break', sql: 'delete from public.bikes; select 1 / 0' }
  const changing = `create rule change as on insert to public.bikes do also update public.bikes set name = 'x'`
  test.each<[string, string, RegExp, Migration[]?]>([
    [
      'of an earlier preview',
      `update supabase_migrations.schema_migrations set version = replace(version, '20261122', '20261121')`,
      /^The database is from before the last preview of version 1\.0: start that preview \(commit 29666617\) with it once, then this version\. Nothing/,
    ],
    [
      'that lacks a migration of the preview',
      `delete from supabase_migrations.schema_migrations where version = '20261122101600'`,
      /its migrations are not those of the last preview of version 1\.0 .+ Nothing was changed\. Or move the data/,
    ],
    [
      'with a migration of its own',
      `insert into supabase_migrations.schema_migrations (version) values ('20261122999999')`,
      /its migrations are not those of the last preview/,
    ],
    [
      'with objects of its own',
      `alter table private.owner add color text; create index rides_mine on public.rides (name);
       create trigger mine after update on public.bikes for each row execute function suppress_redundant_updates_trigger();
       create table public.mine (); create type private.mine as enum (); create publication mine for table public.rides`,
      /added by hand: column color of table private\.owner, index public\.rides_mine, publication of table public\.rides in publication mine, table public\.mine, trigger mine on table public\.bikes, type private\.mine\. Remove it first\./,
    ],
    [
      'that another schema depends on',
      `create schema mine; create view mine.mine as select id from public.maintenance; create table mine.table (gear_id bigint references public.bikes);
       create policy mine on mine.table using (private.is_owner())`,
      /added by hand: constraint table_gear_id_fkey on table mine\."table", policy mine on table mine\."table", rule _RETURN on view mine\.mine\. /,
    ],
    [
      'if a migration fails',
      '',
      /^The upgrade failed and was undone: division by zero\.$/,
      [...migrations, broken],
    ],
    [
      'if a copied row differs',
      '',
      /^The upgrade failed and was undone: the rows of public\.bikes differ after copying them\.$/,
      [...migrations, { ...broken, sql: changing }],
    ],
  ])('%s', async (_, change, message, applied = migrations) => {
    const { sql, tables } = await openPreview()
    await sql.unsafe(change)
    const state = async () => [await catalog(sql), await contentsOf(sql, tables), await historyOf(sql)]
    const before = await state()
    await expect(applyMigrations(sql, applied)).rejects.toThrow(message)
    expect(await state()).toEqual(before)
  })
})

describe('the upgrade', () => {
  let sql: Sql
  let printed: unknown[][]
  beforeAll(async () => {
    sql = (await openPreview()).sql
    await sql.unsafe(`
      create schema cron; create schema net; create schema vault;
      create table vault.decrypted_secrets (name text, decrypted_secret text);
      insert into vault.decrypted_secrets values ('update_rides_url', 'x'), ('update_rides_schedule_key', 'x');
      create table cron.job (jobid bigint generated always as identity, jobname text, schedule text, command text, active boolean default true);
      create function cron.schedule(text, text, text) returns bigint language sql as
        'insert into cron.job (jobname, schedule, command) values ($1, $2, $3) returning jobid';
      create function cron.unschedule(bigint) returns boolean language sql as 'delete from cron.job where jobid = $1 returning true';
      select private.schedule_ride_refresh('5 * * * *'); select cron.schedule('mine', '1 * * * *', 'select 1');
      insert into public.log_changes (relation, row_id, before, after)
      select 'service_tasks', 900 + n, '{"part_id": 7}', '{"part_id": 8}' from generate_series(1, 3) as n`)
    const print = vi.spyOn(console, 'log').mockReturnValue()
    await applyMigrations(sql, migrations)
    printed = [...print.mock.calls]
    print.mockRestore()
  })

  test('replaces the scheduled job of the preview', async () => {
    expect(await sql`select jobname, schedule, command from cron.job order by 1`).toEqual([
      {
        jobname: 'check-rides',
        schedule: '5 * * * *',
        command: 'select private.request_ride_check(quick => true)',
      },
      { jobname: 'mine', schedule: '1 * * * *', command: 'select 1' },
    ])
  })

  test('says how many changes of removed tasks are left out of the trash', async () => {
    expect(printed).toEqual([['Left out of the trash: 3 changes of service tasks that were removed since.']])
    expect(await sql`select from public.changes where row_id > 900`).toHaveLength(0)
  })

  test('keeps everything that the preview recorded, so it can be undone back to the empty log', async () => {
    await sql`select set_config('request.jwt.claim.sub', ${PREVIEW_OWNER}, false)`
    const changes = await sql`select change from public.changes group by change order by max(id) desc`
    for (const { change } of changes) {
      const [undone] = await sql`select public.undo(${change}) as answer`
      expect(undone!.answer).toMatchObject({ restored: expect.any(Number), conflicts: [] })
    }
    expect(changes.length).toBeGreaterThan(15)
    expect(await sql`select from public.maintenance`).toHaveLength(0)
  })
})

test('restores a backup of the preview', async () => {
  const { sql } = await open()
  await applyMigrations(sql, migrations)
  const backup = parseBackup(PREVIEW_BACKUP, 'The backup')
  await restoreBackup(sql, backup, { replace: false })
  const { schema, ...restored } = JSON.parse(await exportBackup(sql))
  const { schema: schemaBefore, ...before } = JSON.parse(backup.text)
  expect([schemaBefore, schema]).toEqual(['20261122101600', migrations.at(-1)!.version])
  expect(restored).toMatchObject(
    JSON.parse(JSON.stringify(before), (_, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [newName(name), each]))
    }),
  )
})
