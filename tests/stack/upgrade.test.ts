import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../embedded/supabase-lite.ts'
import { openSessions, ROLES } from '../../embedded/database.ts'
import { applyMigrations, appliedVersions } from '../../embedded/migrations.ts'
import { ensureOwner } from '../../embedded/owner.ts'
import { connect } from '../../embedded/postgres/connect.ts'
import { createSecrets } from '../../embedded/secrets.ts'
import { countRows, signIn } from '../owner.ts'
import { createEmpty, prepareSample } from '../postgres.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN } from '../sync/ride-with-gps.ts'
import { EDITS_BEFORE_10, migrationsBefore10 } from '../version-before-1.0.ts'
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

async function createPrevious() {
  const { url, drop } = await createEmpty()
  const database = openSessions(url)
  const secrets = createSecrets()
  await database.sql.unsafe(ROLES)
  await createApp(database, secrets).ensureSystemSchema()
  await applyMigrations(database.sql, await migrationsBefore10())
  await ensureOwner(database, secrets, { ownerEmail: 'owner@example.com', ownerPassword: 'password' })
  await database.sql.unsafe(EDITS_BEFORE_10)
  return {
    environment: {
      TRACKER_DATA_DIR: folder,
      DATABASE_URL: url,
      ...SIGN_IN,
      RWGPS_BASE_URL: 'http://127.0.0.1:9',
    },
    sql: database.sql,
    close: () => database.close().then(drop),
  }
}

async function backUp(environment: Record<string, string>) {
  const file = path.join(folder, 'by-hand.json')
  await command('backup', [file], environment)
  return readFile(file, 'utf8')
}

test('upgrades a database of the version before 1.0 with all its data', async () => {
  const { environment, close } = await createPrevious()
  const before = await backUp(environment)
  const upgraded = await start(environment)
  running.push(upgraded)
  const [, file] = /^Backed up before the upgrade: (.+)$/m.exec(upgraded.output())!
  expect(path.basename(file!)).toMatch(/^owner-backup-.+-20261121176620\.json$/)
  expect(await readFile(file!, 'utf8')).toBe(before)
  const { schema, ...rows } = JSON.parse(before)
  expect(schema).toBe('20261121176620')
  expect(JSON.parse(await backUp(environment))).toMatchObject(rows)
  expect(await countRows(await signIn(upgraded.url), 'maintenance')).toBe(rows.maintenance.length)
  await upgraded.stop()

  const again = await start(environment)
  running.push(again)
  expect(again.output()).not.toContain('Backed up')
  await again.stop()
  await close()
})

test('explains what to do with a database between two versions, and leaves it unchanged', async () => {
  const { environment, sql, close } = await createPrevious()
  await sql`delete from supabase_migrations.schema_migrations where version = '20261121176620'`
  const before = await backUp(environment)
  const versions = await appliedVersions(sql)

  const { code, output } = await startAndWaitForExit(environment)
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(output).toContain('its migrations are not those of the version before 1.0')
  expect(output).toContain('npm run restore tracker.json')
  expect(await appliedVersions(sql)).toEqual(versions)
  expect(await backUp(environment)).toBe(before)
  expect((await readdir(folder)).filter((file) => file.includes('-backup-'))).toEqual([])
  await close()
})

const fromVersion01 = (file: string) => fileURLToPath(new URL(`version-0.1/${file}`, import.meta.url))

test('leaves data of version 0.1 unchanged and restores its backup', async () => {
  // The data folder of a tracker that is set up for a real account but has no rows.
  execFileSync('tar', ['-xzf', fromVersion01('data.tar.gz'), '-C', folder])
  const before = await filesIn(path.join(folder, 'owner'))
  const account = { TRACKER_DATA_DIR: folder, ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' }

  const rejected = await startAndWaitForExit(account)
  expect(rejected).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(rejected.output).toContain('saved by an older version of the tracker')
  expect(rejected.output).toContain('npm run restore tracker.json')
  expect(await readdir(folder)).toEqual(['lock', 'owner'])

  const restored = await command('restore', [fromVersion01('backup.json')], account)
  expect(restored.output).toMatch(/^Restored 2 bikes, 2 .+, 3 rides\.\n$/)
  const stack = await start(account)
  running.push(stack)
  const [, password] = await stack.line(/^Password: (.+)$/m)
  const owner = await signIn(stack.url, { password: password! })
  const { data } = await owner.from('maintenance').select('id, name, cost, dateEnded').order('id')
  expect(data).toEqual([
    { id: 1, name: 'Chain', cost: 45.5, dateEnded: null },
    { id: 2, name: 'Tire', cost: 60, dateEnded: '2026-03-03T01:00:00' },
  ])
  expect(await filesIn(path.join(folder, 'owner'))).toEqual(before)
})

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  return Promise.all(files.toSorted().map(async (file) => `${file} ${hash('sha256', await readFile(file))}`))
}
