import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster } from '../../embedded/postgres/cluster.ts'
// Tests compare the browser's backup with the command's.
// oxlint-disable-next-line no-restricted-imports
import { readBackup } from '../../src/features/export/backup.ts'
import { countRows, signIn } from '../owner.ts'
import { createEmpty, prepareSample, type CreatedDatabase, type Prepared } from '../postgres.ts'
import { start, temporaryFolder, type Running } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
let sample: Prepared
let stack: Running
let empty: CreatedDatabase
const running: Running[] = []

beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
  ;[sample, empty] = await Promise.all([prepareSample(), createEmpty()])
  stack = await start(sample.environment)
  running.push(stack)
})
afterAll(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await Promise.all([sample.remove(), empty.drop(), remove()])
})

const inFolder = (name: string) => path.join(folder, name)

/** Returns a tracker's settings. The third tracker's database is on the test server. */
function dataOf(name: string): Record<string, string> {
  if (name === 'sample') return sample.environment
  return { TRACKER_DATA_DIR: inFolder(name), ...(name === 'third' && { DATABASE_URL: empty.url }) }
}

async function startIn(name: string) {
  const stack = await start(dataOf(name))
  running.push(stack)
  return stack
}
const backup = (name: string, ...args: string[]) => command('backup', args, dataOf(name))
const restore = (name: string, ...args: string[]) => command('restore', args, dataOf(name))

const oneMessage = /^[^\n]+\.\n$/

test('backs up a running tracker and restores it into a new one', async () => {
  const file = inFolder('backup.json')
  const { code, output } = await backup('sample', file)
  expect(output).toMatch(/^Backed up 4 bikes, \d+ log entries, \d+ rides: .+backup\.json\n$/)
  expect(code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const text = await readFile(file, 'utf8')
  const keys = JSON.parse(
    await readFile(`${sample.environment.TRACKER_DATA_DIR}/sample-keys.json`, 'utf8'),
  ) as Record<string, string>
  for (const key of Object.values(keys)) expect(text).not.toContain(key)
  expect(text).not.toMatch(/\$2[aby]\$|argon|owner@example\.com|password|token/i)

  const owner = await signIn(stack.url)
  expect(await readBackup(owner, new AbortController().signal)).toBe(text)

  await owner.from('maintenance').delete().gt('id', 1)
  const rejected = await restore('sample', file)
  expect(rejected).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(await countRows(owner, 'maintenance')).toBe(1)
  expect((await restore('sample', file, '--replace')).code).toBe(0)
  expect(await countRows(owner, 'maintenance')).toBeGreaterThan(20)

  expect((await restore('second', file)).output).toMatch(/^Restored 4 bikes/)
  expect((await backup('second', inFolder('again.json'))).code).toBe(0)
  expect(await readFile(inFolder('again.json'), 'utf8')).toBe(text)

  const second = await signIn((await startIn('second')).url)
  const { data: bike } = await second.from('bikes').select('gear_id').limit(1).single()
  const fresh = { bikeId: bike!.gear_id, name: 'Fresh', dateStarted: '2026-01-01 01:00:00' }
  expect((await second.from('maintenance').insert(fresh)).error).toBeNull()
})

test('restores an empty log and names a backup by default', async () => {
  const contents = {
    format: 'rwgps-maintenance-tracker backup',
    version: 1,
    schema: '20261120090600',
    bikes: [],
    maintenance: [],
    rides: [],
    ride_syncs: [],
  }
  await writeFile(inFolder('empty.json'), JSON.stringify(contents))
  expect((await restore('third', inFolder('empty.json'))).code).toBe(0)

  const { output } = await backup('third')
  const files = (await readdir(inFolder('third'))).filter((file) => file.includes('backup'))
  expect(files).toEqual([expect.stringMatching(/^sample-backup-\d{4}-\d\d-\d\dT\d{6}Z-\d{14}\.json$/)])
  expect(output).toContain(path.join(inFolder('third'), files[0]!))

  const owner = await signIn((await startIn('third')).url)
  expect(await countRows(owner, 'maintenance')).toBe(0)
})

test('reports failures in one line and creates no folder', async () => {
  await writeFile(inFolder('broken.json'), '{"format":')
  const before = await readdir(folder)
  const failed = { code: 1, output: expect.stringMatching(oneMessage) }
  expect(await backup('nowhere')).toEqual(failed)
  expect(await restore('nowhere', inFolder('broken.json'))).toEqual(failed)
  expect(await restore('nowhere', inFolder('missing.json'))).toEqual(failed)
  expect(await restore('nowhere')).toEqual(failed)
  expect(await readdir(folder)).toEqual(before)
})

test('reports nothing to back up after an interrupted first start', async () => {
  await mkdir(inFolder('cut'))
  await (await startCluster(inFolder('cut/postgres'))).stop()
  const { code, output } = await backup('cut')
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain('nothing to back up')
})
