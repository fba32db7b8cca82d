import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../embedded/supabase-lite/index.ts'
import { openSessions, ROLES } from '../../embedded/database.ts'
import { applyMigrations, appliedVersions } from '../../embedded/migrations.ts'
import { startCluster } from '../../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../../embedded/postgres/connect.ts'
import { createSecrets } from '../../embedded/secrets.ts'
import { signIn } from '../owner.ts'
import { createEmpty, prepareSample } from '../postgres.ts'
import { PREVIEW_ACCOUNT, PREVIEW_BACKUP, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN } from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'
import { copyProject } from './project.ts'

let folder: string
let remove: () => Promise<void>
let running: Running[]

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await remove()
})

async function logOf(url: string) {
  const sql = connect(url)
  return sql`select id::integer, name from public.maintenance order by id`.finally(() => sql.end())
}

const oneMessage = /^[^\n]+\.\n$/

test('backs up before an upgrade, rolls back a failed migration and rejects a downgrade', async () => {
  const { environment, remove } = await prepareSample()
  const { TRACKER_DATA_DIR, DATABASE_URL } = environment
  const project = await copyProject()
  const startHere = async () => {
    const stack = await start(environment, project.root)
    running.push(stack)
    return stack
  }
  const startAndFail = () => startAndWaitForExit(environment, project.root)
  const backups = async () => (await readdir(TRACKER_DATA_DIR)).filter((file) => file.includes('backup'))

  const log = await logOf(DATABASE_URL)
  expect(log.length).toBeGreaterThan(20)

  await project.addMigration(
    '20990101000000_add_frame_size.sql',
    'alter table public.bikes add column frame_size text;',
  )
  const upgraded = await startHere()
  const [file] = await backups()
  expect(upgraded.output()).toContain(`Backed up before the upgrade: ${path.join(TRACKER_DATA_DIR, file!)}\n`)
  const backup = JSON.parse(await readFile(path.join(TRACKER_DATA_DIR, file!), 'utf8'))
  expect(backup.maintenance).toHaveLength(log.length)
  expect(await logOf(DATABASE_URL)).toEqual(log)
  await upgraded.stop()

  await project.addMigration(
    '20990102000000_empty_the_log.sql',
    'delete from public.maintenance; select 1 / 0;',
  )
  const { code, output } = await startAndFail()
  expect(code).toBe(1)
  expect(output.split('\n').slice(1)).toEqual([
    'Migration 20990102000000_empty_the_log failed and was undone: division by zero.',
    '',
  ])
  expect(await backups()).toHaveLength(2)
  await project.removeMigration('20990102000000_empty_the_log.sql')
  const again = await startHere()
  expect(await logOf(DATABASE_URL)).toEqual(log)
  expect(await backups()).toHaveLength(2)
  await again.stop()

  await project.removeMigration('20990101000000_add_frame_size.sql')
  const older = await startAndFail()
  expect(older).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(older.output).toContain("migration 20990101000000, which this version of the tracker doesn't have")

  // To downgrade, restore the backup from before the upgrade into another database with the older version.
  const other = await createEmpty()
  const elsewhere = { TRACKER_DATA_DIR: path.join(folder, 'elsewhere'), DATABASE_URL: other.url }
  const restored = await command('restore', [path.join(TRACKER_DATA_DIR, file!)], elsewhere, project.root)
  expect(restored.output).toMatch(/^Restored /)
  expect(await logOf(other.url)).toEqual(log)
  await Promise.all([remove(), project.remove(), other.drop()])
})

/** Fills a database as the preview of version 1.0 does. */
async function fillAsPreview(url: string): Promise<void> {
  const database = openSessions(url)
  await database.sql.unsafe(ROLES)
  await createApp(database, createSecrets()).createAuthSchema()
  await applyMigrations(database.sql, previewMigrations)
  await database.sql.unsafe(PREVIEW_ACCOUNT + PREVIEW_ROWS)
  await database.close()
}

const account = () => ({ TRACKER_DATA_DIR: folder, ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' })

async function backUp(environment: Record<string, string>) {
  const file = path.join(folder, 'by-hand.json')
  await command('backup', [file], environment)
  return readFile(file, 'utf8')
}

test('upgrades a data folder of the preview with all its data', async () => {
  const cluster = await startCluster(path.join(folder, 'postgres'))
  const server = connect(cluster.url)
  await server`create database owner`
  await server.end()
  await fillAsPreview(withDatabase(cluster.url, 'owner'))
  await cluster.stop()

  const upgraded = await start(account())
  running.push(upgraded)
  const [, file] = /^Backed up before the upgrade: (.+)$/m.exec(upgraded.output())!
  expect(path.basename(file!)).toMatch(/^owner-backup-.+-20261122101600\.json$/)
  expect(await readFile(file!, 'utf8')).toBe(PREVIEW_BACKUP)
  const { maintenance } = JSON.parse(PREVIEW_BACKUP)
  const owner = await signIn(upgraded.url)
  const { data } = await owner.from('maintenance').select('id, name, cost, dateEnded').order('id')
  expect(data).toEqual(
    maintenance.map(({ id, name, cost, dateEnded }: Item) => ({ id, name, cost, dateEnded })),
  )
  await upgraded.stop()

  const again = await start(account())
  running.push(again)
  expect(again.output()).not.toContain('Backed up')
  await again.stop()
})

interface Item {
  id: number
  name: string
  cost: number
  dateEnded: string | null
}

test('explains what to do with a database that it cannot upgrade, and leaves it unchanged', async () => {
  const { url, drop } = await createEmpty()
  await fillAsPreview(url)
  const sql = connect(url)
  await sql`create table public.mine (id bigint)`
  const environment = { ...account(), DATABASE_URL: url }
  const before = await backUp(environment)
  const versions = await appliedVersions(sql)

  const { code, output } = await startAndWaitForExit(environment)
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(output).toContain('added by hand: ')
  expect(output).toContain('table public.mine')
  expect(output).toContain('npm run restore tracker.json')
  expect(await appliedVersions(sql)).toEqual(versions)
  expect(await backUp(environment)).toBe(before)
  expect((await readdir(folder)).filter((file) => file.includes('-backup-'))).toEqual([])
  await sql.end()
  await drop()
})

test('leaves data of version 0.1 unchanged and restores its backup', async () => {
  await mkdir(path.join(folder, 'owner'))
  await writeFile(path.join(folder, 'owner/PG_VERSION'), '17')
  const rejected = await startAndWaitForExit(account())
  expect(rejected).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(rejected.output).toContain('saved by an older version of the tracker')
  expect(rejected.output).toContain('npm run restore tracker.json')
  expect(await readdir(folder)).toEqual(['owner'])

  const backup = fileURLToPath(new URL('version-0.1.json', import.meta.url))
  const restored = await command('restore', [backup], account())
  expect(restored.output).toMatch(/^Restored 2 bikes, 2 .+, 3 rides\.\n$/)
  const stack = await start(account())
  running.push(stack)
  const [, password] = await stack.line(/^Password: (.+)$/m)
  const owner = await signIn(stack.url, { password: password! })
  const { data } = await owner.from('maintenance').select('id, name, cost, dateEnded').order('id')
  expect(data).toEqual([
    { id: 1, name: 'Chain', cost: 45.5, dateEnded: null },
    { id: 2, name: 'Tire', cost: 60, dateEnded: '2026-03-03T01:00:00' },
  ])
  expect(await readdir(path.join(folder, 'owner'))).toEqual(['PG_VERSION'])
})
