import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportBackup } from '../../embedded/backup/export.ts'
import { FORMER, parseBackup } from '../../embedded/backup/file.ts'
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

const FORMER_COLUMNS: string[] = Object.values(FORMER)

type Tables = { name: string; columns: string[]; identity: string | null }[]

async function tablesOf(sql: Sql): Promise<Tables> {
  return sql<Tables>`
    select format('%I.%I', nspname, relname) as name, array_agg(attname::text order by attnum) as columns,
      max(attname) filter (where attidentity <> '') as identity
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where nspname in ('public', 'private') and relkind = 'r' and relname <> 'requests' and attnum > 0 and not attisdropped
    group by 1 order by 1`
}

const textsOf = async (sql: Sql, query: string) => (await sql.unsafe(query).values()).flat()

/** Reads the preview's tables and columns, except for the former ones. */
async function contentsOf(sql: Sql, tables: Tables) {
  const contents: Record<string, unknown[]> = {}
  for (const { name, columns, identity } of tables) {
    const selected = columns
      .filter((column) => !FORMER_COLUMNS.includes(column))
      .map((column) => `"${column}"`)
      .join(', ')
    const withoutFormer = `to_jsonb(copied) #- '{before,${FORMER.key}}' #- '{after,${FORMER.key}}'`
    const rows = `select (${withoutFormer})::text from (select ${selected} from ${name}) as copied order by 1`
    contents[name] = await textsOf(sql, rows)
    if (!identity) continue
    const [sequence] = await textsOf(sql, `select pg_get_serial_sequence('${name}', '${identity}')`)
    contents[`ids of ${name}`] = await textsOf(sql, `select last_value, is_called from ${sequence}`)
  }
  return contents
}

const historyOf = async (sql: Sql) => [
  ...(await sql`select * from supabase_migrations.schema_migrations order by version`),
]

const COMMANDS: Record<string, string | null> = { edit: null, import: 'import_items', restore: 'undo' }

/** What the preview's rows have no values for, by table. */
const ADDED: Record<string, object> = {
  maintenance: { link: null },
  ride_syncs: { follows_check: false, digest: null },
  service_tasks: { counted_from: null },
}

/** Returns a backup of the preview as it is restored. */
const updated = (rows: object) =>
  JSON.parse(JSON.stringify(rows), (key, value: unknown) => {
    if (key !== FORMER.source && FORMER_COLUMNS.includes(key)) return undefined
    const added = ADDED[key]
    if (added) return (value as object[]).map((row) => Object.assign(row, added))
    const { [FORMER.source]: source, ...row } = Object(value)
    return typeof source === 'string' ? { ...row, command: COMMANDS[source] } : value
  }) as object

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
  const sources = await textsOf(upgraded.sql, 'select source from public.changes order by id')
  expect(upgraded.tables).toHaveLength(18)
  for (const { name } of upgraded.tables) expect([name, before[name]]).not.toEqual([name, []])

  expect(await applyMigrations(upgraded.sql, migrations)).toEqual(migrations.map(({ version }) => version))
  const expected = await catalog(fresh.sql)
  expect(expected.length).toBeGreaterThan(1000)
  expect(await catalog(upgraded.sql)).toEqual(expected)
  expect(await contentsOf(upgraded.sql, upgraded.tables)).toEqual(before)
  const commands = await textsOf(upgraded.sql, 'select command from public.changes order by id')
  expect(commands).toEqual(sources.map((source) => COMMANDS[String(source)]))

  expect(await historyOf(upgraded.sql)).toEqual(await historyOf(fresh.sql))
  expect(await applyMigrations(upgraded.sql, migrations)).toEqual([])
  // The upgrade has turned the triggers on again.
  await upgraded.sql`update public.maintenance set description = ' ' where id = 12`
  const [change] =
    await upgraded.sql`select after from ${upgraded.sql('public.changes')} order by id desc limit 1`
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
  expect(await contentsOf(upgraded.sql, tables)).toEqual(before)
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
      `update supabase_migrations.schema_migrations set version = replace(version, '20261123', '20261122')`,
      /^The database is from before the last preview of version 1\.0: start that preview \(commit 3b84a2e3\) with it once, then this version\. Nothing/,
    ],
    [
      'that lacks a migration of the preview',
      `delete from supabase_migrations.schema_migrations where version = '20261123101600'`,
      /its migrations are not those of the last preview of version 1\.0 .+ Nothing was changed\. Or move the data/,
    ],
    [
      'with a migration of its own',
      `insert into supabase_migrations.schema_migrations (version) values ('20261123999999')`,
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
      select private.schedule_ride_checks('5 * * * *'); select cron.schedule('mine', '1 * * * *', 'select 1')`)
    await applyMigrations(sql, migrations)
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

  test('keeps everything that the preview recorded, so it can be undone back to the empty log', async () => {
    await sql`select set_config('request.jwt.claim.sub', ${PREVIEW_OWNER}, false)`
    const changes = await sql`select change from public.changes group by change order by max(id) desc`
    for (const { change } of changes) {
      const [undone] =
        await sql`select public.run_command('undo', ${JSON.stringify({ change })}::json) as result`
      expect(undone!.result.answer).toMatchObject({ restored: expect.any(Number), conflicts: [] })
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
  expect([schemaBefore, schema]).toEqual(['20261123101700', migrations.at(-1)!.version])
  expect(restored).toEqual(updated(before))
})

test('rejects a backup of an earlier preview, and names the last one', () => {
  const earlier = PREVIEW_BACKUP.replace('"20261123101700"', '"20261122101600"')
  expect(() => parseBackup(earlier, 'The backup')).toThrow(/commit 3b84a2e3.+Nothing was changed\./)
})
