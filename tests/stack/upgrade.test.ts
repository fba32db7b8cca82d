import { setTimeout as sleep } from 'node:timers/promises'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSessions } from '../../embedded/database.ts'
import { applyMigrations, type Migration, prepareUpgrade, readMigrations } from '../../embedded/migrations.ts'
import { freePort } from '../../embedded/port.ts'
import { startCluster } from '../../embedded/postgres/cluster.ts'
import { connect, withDatabase } from '../../embedded/postgres/connect.ts'
import { ROLES } from '../../embedded/postgres/roles.ts'
import { createSecrets } from '../../embedded/secrets.ts'
import { createApp } from '../../embedded/supabase-lite/index.ts'
import { backupOf, tablesOf } from '../backups.ts'
import { signIn } from '../owner.ts'
import { prepareSample } from '../postgres.ts'
import { PREVIEW_ACCOUNT, PREVIEW_BACKUP, PREVIEW_ROWS, previewMigrations } from '../preview-1.0.ts'
import { launch, start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN } from '../sync/ride-with-gps.ts'
import { copyFormerFolder, FORMER_BACKUP, FORMER_TOKENS } from '../version-1.0.ts'
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
  const before = await backupOf(sql)

  await migrate(added)
  const [file] = await backups()
  expect(console.log).toHaveBeenCalledWith(`Backed up before the upgrade: ${path.join(folder, file!)}`)
  expect(await readFile(path.join(folder, file!), 'utf8')).toBe(before)
  const upgraded = await backupOf(sql)

  await expect(migrate(added, broken)).rejects.toThrow('20990102000000_empty failed and was undone')
  expect(await backupOf(sql)).toBe(upgraded)
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

const account = () => ({ TRACKER_DATA_DIR: folder, ...SIGN_IN, RWGPS_BASE_URL: 'http://127.0.0.1:9' })

/** Creates a data folder of the preview. */
async function createPreview(): Promise<void> {
  const cluster = await startCluster(path.join(folder, 'postgres'))
  const server = connect(cluster.url)
  await server`create database owner`
  await server.end()
  const database = openSessions(withDatabase(cluster.url, 'owner'))
  await database.sql.unsafe(ROLES)
  await createApp(database, createSecrets()).createAuthSchema()
  await applyMigrations(database.sql, previewMigrations)
  await database.sql.unsafe(PREVIEW_ACCOUNT + PREVIEW_ROWS)
  // The fixture has no link that a test knows.
  await database.sql`update private.calendar_feed set token_hash = sha256(convert_to(${FEED}, 'UTF8'))`
  await database.close()
  await cluster.stop()
}

const withoutKeys = (text: string) =>
  JSON.parse(text, (key, value: unknown) => (key === 'request_key' ? undefined : value))

const FEED = 'F'.repeat(43)
const KILLS = 10

// tests/database/upgrade.test.ts compares all rows.
test('upgrades a data folder of the preview, with its account and calendar link, however often it is killed', async () => {
  await createPreview()
  let backup = ''
  for (let kills = 0; kills < KILLS; kills++) {
    const { child, output, ended } = launch({ ...account(), PORT: String(await freePort()) })
    let files: string[] = []
    // The upgrade writes the backup first.
    while (files.length === 0 && !/^Ready/m.test(output())) {
      await sleep(5)
      files = (await backups()).filter((name) => name.endsWith('.json'))
    }
    await sleep(kills * 50)
    child.kill('SIGKILL')
    await ended
    if (files[0]) backup = path.join(folder, files[0])
    if (files[0]) await rename(backup, (backup = `${backup}.kept`))
  }

  running = await start(account())
  const file = (await backups()).find((name) => name.endsWith('.json')) ?? backup
  expect(path.basename(file)).toMatch(/^owner-backup-.+-20261123101700\.json(\.kept)?$/)
  const saved = withoutKeys(await readFile(path.resolve(folder, file), 'utf8'))
  expect(saved).toEqual(withoutKeys(PREVIEW_BACKUP))
  const owner = await signIn(running.url)
  for (const table of [
    'maintenance',
    'parts',
    'service_tasks',
    'service_events',
    'wear_measurements',
  ] as const) {
    const { data } = await owner.from(table).select('*').order('id')
    expect(data).toMatchObject(saved[table])
  }
  const feed = await fetch(`${running.url}/functions/v1/calendar/${FEED}.ics`)
  expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining('BEGIN:VEVENT')])
  const { data } = await owner.rpc('tokens')
  expect(data).toMatchObject({ tokens: [{ scope: 'calendar' }, { name: 'Tile' }] })
})

/** Expects the account, rows, tokens and calendar link of the former version. */
async function expectFormer({ url }: Running): Promise<void> {
  const owner = await signIn(url)
  for (const [table, rows] of Object.entries(tablesOf(FORMER_BACKUP))) {
    const { count, error } = await owner.from(table as 'parts').select('*', { count: 'exact', head: true })
    expect({ table, count, error }).toEqual({ table, count: (rows as unknown[]).length, error: null })
  }
  const feed = await fetch(`${url}/functions/v1/calendar/${FORMER_TOKENS.feed}.ics`)
  expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining('BEGIN:VEVENT')])
  const headers = { authorization: `Bearer ${FORMER_TOKENS.tile}` }
  const parts = await fetch(`${url}/functions/v1/api/v1/parts`, { headers })
  expect([parts.status, await parts.text()]).toEqual([200, expect.stringContaining('Chain KMC')])
}

// tests/database/baseline.test.ts compares all rows.
test('opens a data folder from before the migrations became one, and its database by URL', async () => {
  const [own, server] = [path.join(folder, 'own'), path.join(folder, 'server')]
  for (const copy of [own, server]) {
    await mkdir(copy)
    copyFormerFolder(copy)
  }
  running = await start({ ...account(), TRACKER_DATA_DIR: own })
  expect(running.output()).toMatch(/^Backed up before the upgrade: .+owner-backup-/m)
  await expectFormer(running)
  await running.stop()

  const cluster = await startCluster(path.join(server, 'postgres'))
  running = await start({ ...account(), DATABASE_URL: withDatabase(cluster.url, 'owner') })
  await expectFormer(running)
  await running.stop()
  await cluster.stop()
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
