import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { StartError } from './settings.ts'

export interface Migration {
  version: string
  name: string
  sql: string
}

/** The migrations of a folder in their order, named as the Supabase CLI names them: `<14 digits>_<name>.sql`. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{14}_.+\.sql$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => ({
      version: file.slice(0, 14),
      name: file.slice(15, -'.sql'.length),
      sql: await readFile(path.join(folder, file), 'utf8'),
    })),
  )
}

/** A migration that the database refused; the database is as it was before it. */
export class MigrationFailed extends StartError {
  constructor(migration: Migration, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`Migration ${migration.version}_${migration.name} failed and was undone: ${reason}.`, { cause })
  }
}

// The table that the Supabase CLI keeps, so that a database can move between the two.
const HISTORY = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
`

/** The versions that were applied to the database, in their order; none to one that was never migrated. */
export async function appliedVersions(database: PGlite): Promise<string[]> {
  const { rows } = await database.query<{ has: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as has`,
  )
  if (!rows[0]?.has) return []
  const history = await database.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  return history.rows.map((row) => row.version)
}

/** Applies what is not applied yet, each migration in a transaction of its own; returns the versions applied now. */
export async function applyMigrations(database: PGlite, migrations: Migration[]): Promise<string[]> {
  await database.exec(HISTORY)
  const applied = new Set(await appliedVersions(database))
  const pending = migrations.filter((migration) => !applied.has(migration.version))
  for (const migration of pending) {
    try {
      await database.transaction(async (transaction) => {
        await transaction.exec(migration.sql)
        await transaction.query(
          'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)',
          [migration.version, [migration.sql], migration.name],
        )
      })
    } catch (error) {
      throw new MigrationFailed(migration, error)
    }
  }
  return pending.map((migration) => migration.version)
}
