import type { Sql } from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../../embedded/catalog.ts'
import type { Migration } from '../../embedded/migrations.ts'
import { backupOf, restore, tablesOf } from '../backups.ts'
import { PREVIEW_BACKUP, PREVIEW_OWNER, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { migrations, privateRows, schemaOf, undoAll, useFormer } from './upgrades.ts'

const {
  openFormer: openPreview,
  openNew,
  upgrade,
} = await useFormer(previewMigrations, (sql) =>
  sql.unsafe(`insert into auth.users (id) values ('${PREVIEW_OWNER}'); ${PREVIEW_ROWS}`),
)

const COMMANDS: Record<string, string | null> = { edit: null, import: 'import_items', restore: 'undo' }

/** Columns that only the preview had. */
const FORMER = new Set(['request_key', 'home_zone', 'newest_ids', 'is_answered'])

/** Returns the tables of a preview's backup as they are restored. */
const updated = (text: string) =>
  JSON.parse(JSON.stringify(tablesOf(text)), (key, value: unknown) => {
    if (FORMER.has(key)) return undefined
    const { source, ...row } = Object(value)
    return typeof source === 'string' ? { ...row, command: COMMANDS[source] } : value
  }) as object

/** The rows after the upgrade, by table. */
let upgraded: object
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
    upgraded = tablesOf(await backupOf(sql))
  })

  test('has the objects and history of a new one', async () => {
    const { objects, history } = await schemaOf(await openNew())
    expect(objects.length).toBeGreaterThan(1000)
    expect(await schemaOf(sql)).toEqual({ objects, history })
  })

  test('has every row, and a backup of them', async () => {
    const rows = tablesOf(PREVIEW_BACKUP)
    for (const table of Object.entries(rows)) expect(table[1]).not.toEqual([])
    expect(tablesOf(backup)).toEqual(rows)
    expect(upgraded).toMatchObject(updated(PREVIEW_BACKUP))
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
    expect(await undoAll(sql, PREVIEW_OWNER)).toBeGreaterThan(15)
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
      await sql.begin(catalog),
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
  expect(tablesOf(await backupOf(sql))).toEqual(upgraded)
})

test('backs up a database of the preview, and changes nothing', async () => {
  const sql = await openPreview()
  const before = await sql.begin(catalog)
  expect(tablesOf(await backupOf(sql))).toEqual(tablesOf(PREVIEW_BACKUP))
  expect(await sql.begin(catalog)).toEqual(before)
})
