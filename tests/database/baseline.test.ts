import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { backupOf, restore, tablesOf } from '../backups.ts'
import { FORMER_BACKUP, formerMigrations } from '../version-1.0.ts'
import { privateRows, schemaOf, undoAll, useFormer } from './upgrades.ts'

const OWNER = randomUUID()
const rows = tablesOf(FORMER_BACKUP)

const { openFormer, openNew, upgrade } = await useFormer(formerMigrations, async (sql) => {
  await sql.unsafe(`
    insert into auth.users (id) values ('${OWNER}');
    insert into private.access_tokens (owner_id, token_hash, name, scope) values ('${OWNER}', sha256('token'), 'Tile', 'read');
    insert into private.push_subscriptions (endpoint, p256dh, auth)
    values ('https://fcm.googleapis.com/a', 'B' || repeat('A', 86), repeat('A', 22));
    insert into private.announced_tasks (channel, task_id, announced_for) values ('ntfy', 1, '{}');
    insert into private.channel_states (channel, sent_at) values ('ntfy', now())`)
  await restore(sql, FORMER_BACKUP)
})

/** The rows after the upgrade, by table. */
let upgraded: object
describe('an upgraded database', () => {
  let sql: Sql
  let before: Record<string, unknown>
  let backup: string
  beforeAll(async () => {
    sql = await openFormer()
    before = await privateRows(sql)
    backup = await upgrade(sql)
    upgraded = tablesOf(await backupOf(sql))
  })

  test('has the objects and history of a new one', async () => {
    const { objects, history } = await schemaOf(await openNew())
    expect(objects.length).toBeGreaterThan(1000)
    expect(await schemaOf(sql)).toEqual({ objects, history })
  })

  test('has every row, and a backup of them', async () => {
    for (const table of Object.values(rows)) expect(table).not.toEqual([])
    expect(tablesOf(backup)).toEqual(rows)
    expect(upgraded).toMatchObject(rows)
    for (const kept of Object.values(before)) expect(kept).not.toEqual([])
    expect(await privateRows(sql)).toEqual(before)
  })

  test('can undo everything, back to the empty log', async () => {
    expect(await undoAll(sql, OWNER)).toBeGreaterThan(15)
    expect(await sql`select from public.maintenance`).toHaveLength(0)
  })
})

describe('a database that differs from what its migrations created is left unchanged', () => {
  test.each([
    ['a column', 'alter table public.bikes add mine text', 'It has: column public.bikes.mine: text'],
    ['a policy', 'create policy mine on public.rides for select using (true)', 'It has: policy mine'],
    ['a right', 'grant delete on public.rides to authenticated', 'It has: right DELETE on public.rides'],
    ['a view', 'create view public.mine as table public.bikes', 'It has: column public.mine.'],
    [
      'a function',
      `create or replace function private.is_anonymous(account jsonb) returns boolean language sql as 'select false'`,
      'It has: function private.is_anonymous(jsonb)',
    ],
    [
      'a dropped trigger',
      'drop trigger clear_ended_as on public.maintenance',
      'It lacks: trigger: CREATE TRIGGER clear_ended_as',
    ],
    ['a dropped table', 'drop table public.wear_measurements cascade', 'It lacks: '],
    [
      'a missing migration',
      `delete from supabase_migrations.schema_migrations where version = '20261126101300'`,
      'from an earlier preview',
    ],
  ])('%s', async (_, change, message) => {
    const sql = await openFormer()
    await sql.unsafe(change)
    const state = async () => [
      await schemaOf(sql),
      await sql`table public.maintenance`,
      await privateRows(sql),
    ]
    const before = await state()
    await expect(upgrade(sql)).rejects.toThrow(message)
    expect(await state()).toEqual(before)
  })
})

test('restores a backup of the former version as the upgrade would have changed its rows, and can undo everything in it', async () => {
  const sql = await openNew()
  await restore(sql, FORMER_BACKUP)
  expect(tablesOf(await backupOf(sql))).toEqual(upgraded)
  await sql`insert into auth.users (id) values (${OWNER})`
  expect(await undoAll(sql, OWNER)).toBeGreaterThan(15)
  expect(await sql`select from public.maintenance`).toHaveLength(0)
})
