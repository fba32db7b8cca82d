import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { backUp, backupFile, hasRows } from './backup/export.ts'
import { ROOT } from './installation.ts'
import { StartError } from './settings.ts'
import { type Migration, MOVE_DATA, PREVIEW, requireUpgradable, upgrade } from './upgrade.ts'

const MIGRATIONS = path.join(ROOT, 'supabase/migrations')

/** Reads the tracker's or a folder's migrations in order. File names follow the Supabase CLI's format: `<14 digits>_<name>.sql`. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{14}_.+\.sql$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => ({
      version: file.slice(0, 14),
      name: file.slice(15, -'.sql'.length),
      sql: await readFile(path.join(folder, file), 'utf8'),
    })),
  )
}

// The Supabase CLI's table, so the CLI and the tracker can migrate the same database.
const HISTORY = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
`

export async function appliedVersions(sql: Sql): Promise<string[]> {
  const [history] =
    await sql`select to_regclass('supabase_migrations.schema_migrations') is not null as exists`
  if (!history!.exists) return []
  const rows = await sql<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by version`
  return rows.map(({ version }) => version)
}

/** Applies pending migrations one by one, or upgrades a database of the last preview of version 1.0. Returns the applied versions. */
export async function applyMigrations(sql: Sql, migrations: Migration[]): Promise<string[]> {
  await sql.unsafe(HISTORY)
  const applied = await appliedVersions(sql)
  if (needsUpgrade(migrations, applied)) {
    await upgrade(sql, migrations)
    return migrations.map(({ version }) => version)
  }
  const pending = migrations.slice(applied.length)
  for (const { version, name, sql: statements } of pending) {
    await sql
      .begin(async (transaction) => {
        await transaction.unsafe(statements)
        await transaction`
          insert into supabase_migrations.schema_migrations (version, statements, name)
          values (${version}, ${[statements]}, ${name})`
      })
      .catch((cause: Error) => {
        throw new StartError(`Migration ${version}_${name} failed and was undone: ${cause.message}.`, {
          cause,
        })
      })
  }
  return pending.map(({ version }) => version)
}

const needsUpgrade = (migrations: Migration[], applied: string[]) =>
  (applied.at(-1) === PREVIEW && migrations.at(-1)!.version > PREVIEW) ||
  applied.some((version, index) => version !== migrations[index]?.version)

/** Backs up rows before an upgrade, to a path that starts with `backupPrefix`. Throws a StartError if upgrading is impossible. */
export async function prepareUpgrade(sql: Sql, backupPrefix: string, migrations: Migration[]): Promise<void> {
  const applied = await appliedVersions(sql)
  const newest = applied.at(-1)
  if (newest === undefined) return
  if (newest > migrations.at(-1)!.version) {
    throw new StartError(
      `The database has migration ${newest}, which this version of the tracker doesn't have. ` +
        `Start the version that created it. ${MOVE_DATA}`,
    )
  }
  if (needsUpgrade(migrations, applied)) await requireUpgradable(sql, migrations)
  else if (applied.length === migrations.length) return
  if (!(await hasRows(sql))) return
  const file = backupFile(backupPrefix, newest)
  await backUp(sql, file)
  console.log(`Backed up before the upgrade: ${file}`)
}
