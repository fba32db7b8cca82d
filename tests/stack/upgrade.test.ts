import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../owner.ts'
import { prepareSample } from '../postgres.ts'
import { start, startAndWaitForExit, temporaryFolder, type Running } from '../running.ts'
import { SIGN_IN } from '../sync/ride-with-gps.ts'
import { command } from './commands.ts'
import { copyProject, type Project } from './project.ts'

let project: Project
let folder: string
let remove: () => Promise<void>
let running: Running[]

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  project = await copyProject()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await Promise.all([remove(), project.remove()])
})

async function logOf(stack: Running) {
  const { data } = await (await signIn(stack.url)).from('maintenance').select('id, name').order('id')
  return data
}

const oneMessage = /^[^\n]+\.\n$/

test('backs up before an upgrade, rolls back a failed migration and rejects a downgrade', async () => {
  const { environment, remove } = await prepareSample()
  const { TRACKER_DATA_DIR } = environment
  const startHere = async () => {
    const stack = await start(environment, project.root)
    running.push(stack)
    return stack
  }
  const startAndFail = () => startAndWaitForExit(environment, project.root)
  const backups = async () => (await readdir(TRACKER_DATA_DIR)).filter((file) => file.includes('backup'))

  const before = await startHere()
  const log = await logOf(before)
  expect(log!.length).toBeGreaterThan(20)
  await before.stop()
  expect(await backups()).toEqual([])

  await project.addMigration(
    '20990101000000_add_frame_size.sql',
    'alter table public.bikes add column frame_size text;',
  )
  const upgraded = await startHere()
  const [file] = await backups()
  expect(upgraded.output()).toContain(`Backed up before the upgrade: ${path.join(TRACKER_DATA_DIR, file!)}\n`)
  const backup = JSON.parse(await readFile(path.join(TRACKER_DATA_DIR, file!), 'utf8'))
  expect(backup.maintenance).toHaveLength(log!.length)
  expect(await logOf(upgraded)).toEqual(log)
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
  expect(await logOf(again)).toEqual(log)
  await again.stop()

  await project.removeMigration('20990101000000_add_frame_size.sql')
  const older = await startAndFail()
  expect(older).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(older.output).toContain("migration 20990101000000, which this version of the tracker doesn't have")

  // Going back: the older version restores the backup from before the upgrade into another folder.
  const elsewhere = { TRACKER_DATA_DIR: path.join(folder, 'elsewhere') }
  const restored = await command('restore', [path.join(TRACKER_DATA_DIR, file!)], elsewhere, project.root)
  expect(restored.output).toMatch(/^Restored /)
  const back = await start(elsewhere, project.root)
  running.push(back)
  expect(await logOf(back)).toEqual(log)
  await remove()
})

const fromVersion01 = (file: string) => fileURLToPath(new URL(`version-0.1/${file}`, import.meta.url))

test('leaves data of version 0.1 unchanged and restores its backup', async () => {
  // From a tracker with a real account, without rows.
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

/** Returns every file in a folder with a hash of its contents. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  return Promise.all(files.toSorted().map(async (file) => `${file} ${hash('sha256', await readFile(file))}`))
}
