import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { catalog } from '../../embedded/catalog.ts'
import { applyMigrations, type Migration, prepareUpgrade, readMigrations } from '../../embedded/migrations.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { backupOf, restore, tablesOf } from '../backups.ts'
import { createPlain } from '../postgres.ts'
import { PREVIEW_BACKUP, PREVIEW_OWNER, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { temporaryFolder } from '../running.ts'
import { openCopy, openPlain, type TestDatabase } from './databases.ts'

const migrations = await readMigrations()

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  vi.restoreAllMocks()
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
})
vi.spyOn(console, 'log').mockImplementation(() => undefined)

const { folder, remove } = await temporaryFolder()
cleanups.push(remove)

// Copying a database of the preview is faster than applying its migrations again.
const original = await createPlain()
cleanups.push(original.drop)
const session = connect(original.url)
await applyMigrations(session, previewMigrations)
await session.unsafe(`insert into auth.users (id) values ('${PREVIEW_OWNER}'); ${PREVIEW_ROWS}`)
await session.end()

function sessionOf(database: TestDatabase): Sql {
  const sql = connect(database.url)
  cleanups.push(
    () => database.close(),
    () => sql.end(),
  )
  return sql
}
const openPreview = async () => sessionOf(await openCopy(original.url))

async function openNew(): Promise<Sql> {
  const sql = sessionOf(await openPlain())
  await applyMigrations(sql, migrations)
  return sql
}

let upgrades = 0
/** Upgrades a database. Returns the backup's text. */
async function upgrade(sql: Sql, wanted = migrations): Promise<string> {
  const prefix = path.join(folder, String(++upgrades))
  await prepareUpgrade(sql, prefix, wanted)
  const [, file] = /: (.+)$/.exec(String(vi.mocked(console.log).mock.lastCall))!
  expect(file!.startsWith(prefix)).toBe(true)
  return readFile(file!, 'utf8')
}

const PRIVATE = ['owner', 'access_tokens', 'push_subscriptions', 'announced_tasks', 'channel_states']
async function privateRows(sql: Sql): Promise<Record<string, unknown>> {
  const rows = PRIVATE.map(async (name) => [
    name,
    await sql.unsafe(`select * from private.${name} order by to_jsonb(${name})`).values(),
  ])
  return Object.fromEntries(await Promise.all(rows)) as Record<string, unknown>
}

const COMMANDS: Record<string, string | null> = { edit: null, import: 'import_items', restore: 'undo' }

/** What the preview's rows have no values for, by table. */
const ADDED: Record<string, object> = {
  maintenance: { link: null },
  ride_syncs: { follows_check: false, digest: null },
  service_tasks: { counted_from: null },
}

/** Columns that only the preview had. */
const FORMER = new Set(['request_key', 'home_zone', 'newest_ids', 'is_answered'])

/** Returns the tables of a preview's backup as they are restored. */
const updated = (text: string) =>
  JSON.parse(JSON.stringify(tablesOf(text)), (key, value: unknown) => {
    if (FORMER.has(key)) return undefined
    const added = ADDED[key]
    if (added) return (value as object[]).map((row) => Object.assign(row, added))
    const { source, ...row } = Object(value)
    return typeof source === 'string' ? { ...row, command: COMMANDS[source] } : value
  }) as object

describe('an upgraded database', () => {
  let sql: Sql
  let before: Record<string, unknown>
  let feed: Record<string, unknown>
  let backup: string
  beforeAll(async () => {
    sql = await openPreview()
    before = await privateRows(sql)
    ;[feed] = (await sql`select * from private.calendar_feed`) as [Record<string, unknown>]
    backup = await upgrade(sql)
  })

  test('has the catalog and history of a new one', async () => {
    const fresh = await openNew()
    const expected = await catalog(fresh)
    expect(expected.length).toBeGreaterThan(1000)
    expect(await catalog(sql)).toEqual(expected)
    const history = 'select * from supabase_migrations.schema_migrations order by version'
    expect([...(await sql.unsafe(history))]).toEqual([...(await fresh.unsafe(history))])
    expect(await applyMigrations(sql, migrations)).toEqual([])
  })

  test('has every row, and a backup of them', async () => {
    const rows = tablesOf(PREVIEW_BACKUP)
    for (const table of Object.entries(rows)) expect(table[1]).not.toEqual([])
    expect(tablesOf(backup)).toEqual(rows)
    expect(tablesOf(await backupOf(sql))).toEqual(updated(PREVIEW_BACKUP))
  })

  test('has the owner, tokens, browsers and the calendar feed', async () => {
    for (const rows of Object.values(before)) expect(rows).not.toEqual([])
    const [link] = await sql`delete from private.access_tokens where scope = 'calendar' returning token_hash`
    expect(link).toEqual({ token_hash: feed.token_hash })
    expect(await privateRows(sql)).toEqual(before)
    const [stamp] = await sql`select content_hash, revision, changed_at from private.calendar_feed`
    expect(feed).toMatchObject(stamp!)
  })

  test('can undo everything that the preview recorded, back to the empty log', async () => {
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

describe('leaves a database unchanged', () => {
  const broken = { version: '20990101000000', name: 'break', sql: 'delete from public.bikes; select 1 / 0' }
  test.each<[string, string, RegExp, Migration[]?]>([
    [
      'of an earlier preview',
      `update supabase_migrations.schema_migrations set version = replace(version, '20261123', '20261122')`,
      /^[^.]+\. Start the last preview of version 1\.0 \(commit 3b84a2e3\) with it once, then this version\. Nothing was changed\.$/,
    ],
    [
      'with later migrations',
      `update supabase_migrations.schema_migrations set version = replace(version, '20261123', '20991123')`,
      /migration 20991123100100, which this version of the tracker doesn't have.+Or move the data/,
    ],
    [
      'with a table of its own',
      'create table public.mine (id bigint primary key)',
      /mine is invalid.+move the data/,
    ],
    [
      'with a view of its own',
      'create view public.mine as table public.bikes',
      /undone: cannot drop.+depend on/,
    ],
    ['if a migration fails', '', /undone: Migration 20990101000000_break .+ zero/, [...migrations, broken]],
  ])('%s', async (_, change, message, wanted) => {
    const sql = await openPreview()
    await sql.unsafe(change)
    const state = async () => [
      await catalog(sql),
      await sql`select * from public.maintenance`,
      await privateRows(sql),
    ]
    const before = await state()
    await expect(upgrade(sql, wanted)).rejects.toThrow(message)
    expect(await state()).toEqual(before)
  })
})

test('restores a backup of the preview', async () => {
  const sql = await openNew()
  await restore(sql, PREVIEW_BACKUP)
  expect(tablesOf(await backupOf(sql))).toEqual(updated(PREVIEW_BACKUP))
})

test('backs up a database of the preview, and changes nothing', async () => {
  const sql = await openPreview()
  const before = await catalog(sql)
  expect(tablesOf(await backupOf(sql))).toEqual(tablesOf(PREVIEW_BACKUP))
  expect(await catalog(sql)).toEqual(before)
})
