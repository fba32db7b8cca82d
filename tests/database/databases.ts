import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { GenericSchema, InferOutput } from 'valibot'
import { afterAll } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { checked } from '../contract.ts'
import { createCopy, createMigrated, createPlain, type CreatedDatabase } from '../postgres.ts'

export type Row = Record<string, unknown>

export interface TestDatabase {
  url: string
  /** Runs statements in one session without row-level security. Resolves to each statement's rows. */
  run(sql: string): Promise<Row[][]>
  /** Reads an SQL expression's value. */
  value: <Value>(expression: string) => Promise<Value>
  /** Reads an SQL expression's value. Throws if the value breaks the contract. */
  read<Schema extends GenericSchema>(contract: Schema, expression: string): Promise<InferOutput<Schema>>
  close(): Promise<void>
}

export const OWNER = '00000000-0000-0000-0000-00000000000a'

/** SQL that creates the owner and makes the session theirs. */
export const SIGN_IN_OWNER = `insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com');
  select set_config('request.jwt.claim.sub', '${OWNER}', false)`

/** Empties every table that a backup contains. Faster than `truncate`, which recreates every table's files. */
export const DELETE_ROWS = `
do $$
declare
  emptied regclass;
begin
  for emptied in select relation from private.backup_tables order by place desc loop
    execute format('delete from %s', emptied);
  end loop;
end
$$`

export const openMigratedDatabase = async () => open(await createMigrated())

/** Opens a migrated database for a test file and runs SQL in it. */
export async function useDatabase(setup: string): Promise<TestDatabase> {
  const database = await openMigratedDatabase()
  afterAll(() => database.close())
  await database.run(setup)
  return database
}

/** Returns a value as an SQL literal of JSON. */
export const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`

/** SQL that inserts rows. A column that only some rows have is null in the others. */
export function insert(table: string, rows: readonly object[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((column) => `"${column}"`).join()
  return rows.length === 0
    ? ''
    : `insert into public.${table} (${columns})
      select ${columns} from jsonb_populate_recordset(null::public.${table}, ${literal(rows)});`
}

/** Opens a database like a new Supabase project's, before any migration. */
export const openPlain = async () => open(await createPlain())

/** Opens a copy of a database that has no sessions. */
export const openCopy = async (url: string) => open(await createCopy(url))

/** Like `openMigratedDatabase`, with pgTAP in the `extensions` schema. */
export async function openWithPgtap(): Promise<TestDatabase> {
  const database = await openMigratedDatabase()
  await database.run(
    `create schema if not exists extensions; set search_path = extensions; ${pgtap()}; reset search_path`,
  )
  return database
}

// PostgreSQL from npm has no pgTAP, so this is a copy of pgTAP's SQL.
const pgtap = () => gunzipSync(readFileSync(new URL('pgtap-1.3.5.sql.gz', import.meta.url))).toString()

function open(created: CreatedDatabase): TestDatabase {
  const { url } = created
  const session = connect(url, 1, { idle_timeout: 0 })
  const value = async <Value>(expression: string) => {
    const [row] = await session.unsafe(`select ${expression} as value`)
    return row!.value as Value
  }
  return {
    url,
    value,
    async run(sql) {
      const results = await session.unsafe(sql)
      // The driver returns a single result for one statement and a list for several.
      return 'command' in results ? [results] : results
    },
    read: async (contract, expression) => checked(contract, await value(expression)),
    async close() {
      await session.end()
      await created.drop()
    },
  }
}
