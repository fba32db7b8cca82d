import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql, TransactionSql } from 'postgres'
import { backUp, backupFile, hasRows } from './backup/export.ts'
import { adoptBaseline, precedesBaseline } from './baseline.ts'
import { isPreview, START_PREVIEW } from './backup/preview.ts'
import { ROOT } from './installation.ts'
import { StartError } from './settings.ts'
import { MOVE_DATA, upgradePreview } from './upgrade.ts'

export interface Migration {
  version: string
  name: string
  sql: string
}

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

/** Applies pending migrations in one transaction, so a start that is killed leaves all or none of them. Returns their versions. */
export async function applyMigrations(sql: Sql, migrations: Migration[]): Promise<string[]> {
  await sql.unsafe(HISTORY)
  const applied = await appliedVersions(sql)
  const pending = migrations.slice(applied.length)
  await sql.begin((transaction) => runMigrations(transaction, pending))
  return pending.map(({ version }) => version)
}

async function runMigrations(transaction: TransactionSql, migrations: Migration[]): Promise<void> {
  for (const migration of migrations) await runMigration(transaction, migration)
}

async function runMigration(transaction: TransactionSql, { version, name, sql }: Migration): Promise<void> {
  try {
    await transaction.unsafe(sql)
    await transaction`
      insert into supabase_migrations.schema_migrations (version, statements, name)
      values (${version}, ${[sql]}, ${name})`
  } catch (cause) {
    throw new StartError(`Migration ${version}_${name} failed and was undone: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

/**
 * Backs up rows before an upgrade, to a path that starts with `backupPrefix`, and upgrades the last preview of version 1.0.
 * Throws a StartError if upgrading is impossible.
 */
export async function prepareUpgrade(sql: Sql, backupPrefix: string, migrations: Migration[]): Promise<void> {
  let applied = await appliedVersions(sql)
  if (precedesBaseline(applied)) {
    await adoptBaseline(sql, migrations[0]!)
    applied = await appliedVersions(sql)
  }
  const newest = applied.at(-1)
  if (newest === undefined) return
  const file = backupFile(backupPrefix, newest)
  if (await isPreview(sql)) {
    await upgradePreview(sql, file, (transaction) => runMigrations(transaction, migrations))
  } else {
    requireKnown(applied, migrations)
    if (applied.length === migrations.length || !(await hasRows(sql))) return
    await backUp(sql, file)
  }
  console.log(`Backed up before the upgrade: ${file}`)
}

function requireKnown(applied: string[], migrations: Migration[]): void {
  const unknown = applied.find((version, index) => version !== migrations[index]?.version)
  if (unknown === undefined) return
  if (unknown > migrations.at(-1)!.version) {
    throw new StartError(
      `The database has migration ${unknown}, which this version of the tracker doesn't have. ` +
        `Start the version that created it. ${MOVE_DATA}`,
    )
  }
  throw new StartError(
    `The database is from an earlier preview of the tracker. ${START_PREVIEW} Nothing was changed.`,
  )
}
