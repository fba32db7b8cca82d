import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
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

// The Supabase CLI's own table, so a database can move between the two.
const HISTORY = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
`

/** The versions of the migrations that the database has, in their order. */
export async function appliedVersions(sql: Sql): Promise<string[]> {
  const [history] =
    await sql`select to_regclass('supabase_migrations.schema_migrations') is not null as exists`
  if (!history!.exists) return []
  const rows = await sql<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by version`
  return rows.map(({ version }) => version)
}

/** Applies the migrations that the database doesn't have yet, each in a transaction; returns their versions. */
export async function applyMigrations(sql: Sql, migrations: Migration[]): Promise<string[]> {
  await sql.unsafe(HISTORY)
  const applied = new Set(await appliedVersions(sql))
  const pending = migrations.filter(({ version }) => !applied.has(version))
  for (const migration of pending) {
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(migration.sql)
        const { version, name } = migration
        await transaction`
          insert into supabase_migrations.schema_migrations (version, statements, name)
          values (${version}, ${[migration.sql]}, ${name})`
      })
    } catch (error) {
      throw new MigrationFailed(migration, error)
    }
  }
  return pending.map(({ version }) => version)
}
