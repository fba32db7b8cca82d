import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exportBackup } from '../../embedded/backup/export.ts'
import { openSessions, ROLES } from '../../embedded/database.ts'
import {
  applyMigrations,
  appliedVersions,
  prepareUpgrade,
  readMigrations,
} from '../../embedded/migrations.ts'
import { startCluster } from '../../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../../embedded/postgres/connect.ts'
import { createSecrets } from '../../embedded/secrets.ts'
import { createApp } from '../../embedded/supabase-lite/index.ts'
import type { Migration } from '../../embedded/upgrade.ts'
import { signIn } from '../owner.ts'
import { createEmpty, prepareSample } from '../postgres.ts'
import { PREVIEW_ACCOUNT, PREVIEW_BACKUP, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN } from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
let running: Running | undefined

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterEach(async () => {
  await running?.stop('SIGKILL')
  await remove()
})

const oneMessage = /^[^\n]+\.\n$/
const backups = async () => (await readdir(folder)).filter((file) => file.includes('-backup-'))

test('backs up before each new migration, even one that fails, and rejects a downgrade', async () => {
  const sample = await prepareSample()
  const sql = connect(sample.environment.DATABASE_URL)
  const migrations = await readMigrations()
  const added = { version: '20990101000000', name: 'add', sql: 'alter table bikes add column frame text' }
  const broken = { version: '20990102000000', name: 'empty', sql: 'delete from maintenance; select 1 / 0' }
  const migrate = async (...more: Migration[]) => {
    await prepareUpgrade(sql, path.join(folder, 'sample'), [...migrations, ...more])
    await applyMigrations(sql, [...migrations, ...more])
  }
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const before = await exportBackup(sql)

  await migrate(added)
  const [file] = await backups()
  expect(console.log).toHaveBeenCalledWith(`Backed up before the upgrade: ${path.join(folder, file!)}`)
  expect(await readFile(path.join(folder, file!), 'utf8')).toBe(before)
  const upgraded = await exportBackup(sql)

  await expect(migrate(added, broken)).rejects.toThrow('20990102000000_empty failed and was undone')
  expect(await exportBackup(sql)).toBe(upgraded)
  expect(await backups()).toHaveLength(2)
  await migrate(added)
  expect(await backups()).toHaveLength(2)

  await expect(migrate()).rejects.toThrow(
    "migration 20990101000000, which this version of the tracker doesn't have",
  )
  vi.restoreAllMocks()
  await sql.end()
  await sample.remove()
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

test('upgrades a data folder of the preview with all its data', async () => {
  const cluster = await startCluster(path.join(folder, 'postgres'))
  const server = connect(cluster.url)
  await server`create database owner`
  await server.end()
  await fillAsPreview(withDatabase(cluster.url, 'owner'))
  await cluster.stop()

  running = await start(account())
  const [, file] = /^Backed up before the upgrade: (.+)$/m.exec(running.output())!
  expect(path.basename(file!)).toMatch(/^owner-backup-.+-20261123101700\.json$/)
  expect(await readFile(file!, 'utf8')).toBe(PREVIEW_BACKUP)
  const { maintenance } = JSON.parse(PREVIEW_BACKUP)
  const owner = await signIn(running.url)
  const { data } = await owner.from('maintenance').select('id, name, cost, dateEnded').order('id')
  expect(data).toEqual(
    maintenance.map(({ id, name, cost, dateEnded }: Item) => ({ id, name, cost, dateEnded })),
  )
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
  const before = await exportBackup(sql)
  const versions = await appliedVersions(sql)

  const { code, output } = await startAndWaitForExit(environment)
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(output).toContain('added by hand: ')
  expect(output).toContain('table public.mine')
  expect(output).toContain('npm run restore tracker.json')
  expect(await appliedVersions(sql)).toEqual(versions)
  expect(await exportBackup(sql)).toBe(before)
  expect(await backups()).toEqual([])
  await sql.end()
  await drop()
})

test('leaves data of version 0.1 unchanged, and rejects its backup', async () => {
  await mkdir(path.join(folder, 'owner'))
  await writeFile(path.join(folder, 'owner/PG_VERSION'), '17')
  const rejected = await startAndWaitForExit(account())
  expect(rejected).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(rejected.output).toContain('saved by an older version of the tracker')
  expect(rejected.output).toContain('commit 3b84a2e3')
  expect(await readdir(folder)).toEqual(['owner'])

  const backup = path.join(folder, 'backup.json')
  await writeFile(backup, PREVIEW_BACKUP.replace('"20261123101700"', '"20261121000000"'))
  const { code, output } = await command('restore', [backup], account())
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(output).toContain('commit 3b84a2e3')
})
