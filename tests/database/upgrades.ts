import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, expect, vi } from 'vitest'
import { catalog } from '../../embedded/catalog.ts'
import { applyMigrations, type Migration, prepareUpgrade, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { createPlain, type CreatedDatabase } from '../postgres.ts'
import { temporaryFolder } from '../running.ts'
import { openCopy, openPlain, type TestDatabase } from './databases.ts'

export const migrations = await readMigrations()

/** Upgrades databases of an earlier version in a test file. Its migrations and `rows` run once, because copying is faster. */
export async function useFormer(former: Migration[], rows: (sql: Sql) => Promise<unknown>) {
  const cleanups: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    log.mockRestore()
    for (const cleanUp of cleanups.toReversed()) await cleanUp()
  })
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { folder, remove } = await temporaryFolder()
  cleanups.push(remove)
  const original = await createFormer(former, rows)
  cleanups.push(original.drop)

  function sessionOf(database: TestDatabase): Sql {
    const sql = connect(database.url)
    cleanups.push(
      () => database.close(),
      () => sql.end(),
    )
    return sql
  }

  let upgrades = 0
  return {
    openFormer: async () => sessionOf(await openCopy(original.url)),

    openNew: async (): Promise<Sql> => {
      const sql = sessionOf(await openPlain())
      await applyMigrations(sql, migrations)
      return sql
    },

    /** Upgrades a database. Returns the backup's text. */
    upgrade: async (sql: Sql, wanted = migrations): Promise<string> => {
      const prefix = path.join(folder, String(++upgrades))
      await prepareUpgrade(sql, prefix, wanted)
      const [, file] = /: (.+)$/.exec(String(log.mock.lastCall))!
      expect(file!.startsWith(prefix)).toBe(true)
      await applyMigrations(sql, wanted)
      return readFile(file!, 'utf8')
    },
  }
}

async function createFormer(
  former: Migration[],
  rows: (sql: Sql) => Promise<unknown>,
): Promise<CreatedDatabase> {
  const created = await createPlain()
  const sql = connect(created.url)
  await applyMigrations(sql, former)
  await rows(sql)
  await sql.end()
  return created
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
