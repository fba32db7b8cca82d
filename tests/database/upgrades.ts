// Helpers for tests that upgrade databases of earlier versions.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, expect, vi } from 'vitest'
import { catalog } from '../../embedded/catalog.ts'
import { applyMigrations, prepareUpgrade, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { temporaryFolder } from '../running.ts'
import { openPlain, type TestDatabase } from './databases.ts'

export const migrations = await readMigrations()

/** Runs at the end of a test file, the latest first. */
export const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  vi.restoreAllMocks()
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
})
vi.spyOn(console, 'log').mockImplementation(() => undefined)

const { folder, remove } = await temporaryFolder()
cleanups.push(remove)

export function sessionOf(database: TestDatabase): Sql {
  const sql = connect(database.url)
  cleanups.push(
    () => database.close(),
    () => sql.end(),
  )
  return sql
}

export async function openNew(): Promise<Sql> {
  const sql = sessionOf(await openPlain())
  await applyMigrations(sql, migrations)
  return sql
}

let upgrades = 0
/** Upgrades a database. Returns the backup's text. */
export async function upgrade(sql: Sql, wanted = migrations): Promise<string> {
  const prefix = path.join(folder, String(++upgrades))
  await prepareUpgrade(sql, prefix, wanted)
  const [, file] = /: (.+)$/.exec(String(vi.mocked(console.log).mock.lastCall))!
  expect(file!.startsWith(prefix)).toBe(true)
  await applyMigrations(sql, wanted)
  return readFile(file!, 'utf8')
}

const PRIVATE = ['owner', 'access_tokens', 'push_subscriptions', 'announced_tasks', 'channel_states']
/** Reads the rows that no backup contains. */
export async function privateRows(sql: Sql): Promise<Record<string, unknown>> {
  const rows = PRIVATE.map(async (name) => [
    name,
    await sql.unsafe(`select * from private.${name} order by to_jsonb(${name})`).values(),
  ])
  return Object.fromEntries(await Promise.all(rows)) as Record<string, unknown>
}

/** Reads the objects and the history. */
export const schemaOf = async (sql: Sql) => ({
  objects: await sql.begin(catalog),
  history: await sql`select * from supabase_migrations.schema_migrations order by version`.values(),
})

/** Undoes all changes as the owner, the latest first. Returns their number. */
export async function undoAll(sql: Sql, owner: string): Promise<number> {
  // The first write would remove what is older than a month.
  await sql`update public.changes set changed_at = now()`
  await sql`select set_config('request.jwt.claim.sub', ${owner}, false)`
  const changes = await sql`select change from public.changes group by change order by max(id) desc`
  for (const { change } of changes) {
    const [undone] =
      await sql`select public.run_command('undo', ${JSON.stringify({ change })}::json) as result`
    expect(undone!.result.answer).toMatchObject({ restored: expect.any(Number), conflicts: [] })
  }
  return changes.length
}
