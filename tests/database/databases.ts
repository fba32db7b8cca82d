import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pgtap } from '@electric-sql/pglite/pgtap'
import { Client } from 'pg'
import { openDatabase } from '../../embedded/database.ts'
import { createSecrets } from '../../embedded/secrets.ts'
import { supabase } from '../../scripts/supabase-cli.ts'

export interface TestDatabase {
  /** Runs statements; resolves to the rows of each. */
  run(sql: string): Promise<Record<string, unknown>[][]>
  close(): Promise<void>
}

export const PLAIN_POSTGRES = fileURLToPath(new URL('plain-postgres.sql', import.meta.url))

/** A PostgreSQL server to test on as well, if the environment names one; its user may create databases. */
export const serverUrl = process.env.TEST_DATABASE_URL

/** PGlite as the embedded stack opens it, in memory. */
export async function openPglite(): Promise<TestDatabase> {
  const database = await openDatabase(createSecrets(), undefined, { pgtap })
  return {
    run: async (sql) => (await database.sql.exec(sql)).map((result) => result.rows),
    close: () => database.close(),
  }
}

/** A database of its own on a PostgreSQL server, with what Supabase brings along and no migration yet. */
export async function createPostgres(server: string): Promise<TestDatabase & { url: string }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = name
  await onServer(server, `create database ${name}`)
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(await readFile(PLAIN_POSTGRES, 'utf8'))
  return {
    url: url.href,
    run: async (sql) => [await client.query(sql)].flat().map((result) => result.rows),
    async close() {
      await client.end()
      await onServer(server, `drop database ${name}`)
    },
  }
}

/** A PostgreSQL database with every migration, applied by the real CLI. */
export async function openPostgres(server: string): Promise<TestDatabase> {
  const database = await createPostgres(server)
  await supabase('db', 'push', '--yes', `--remote=${database.url}`)
  return database
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
