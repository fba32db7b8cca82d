import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
// Tests compare the browser's backup with the command's.
// oxlint-disable-next-line no-restricted-imports
import { readBackup } from '../../src/features/export/backup.ts'
import { TABLES } from '../../scripts/doctor/hosted-project.ts'
import { countRows, signIn } from '../owner.ts'
import { createEmpty, prepareSample, startPrepared } from '../postgres.ts'
import { temporaryFolder } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
})
afterAll(() => remove())

const inFolder = (name: string) => path.join(folder, name)
const dataIn = (name: string) => ({ TRACKER_DATA_DIR: inFolder(name) })
const backup = (data: Record<string, string>, ...args: string[]) => command('backup', args, data)
const restore = (data: Record<string, string>, ...args: string[]) => command('restore', args, data)

const oneMessage = /^[^\n]+\.\n$/

test('backs up a running tracker and restores it into a new one', async () => {
  const file = inFolder('backup.json')
  const prepared = await prepareSample()
  const { environment: sample } = prepared
  const stack = await startPrepared(prepared)
  const { code, output } = await backup(sample, file)
  expect(output).toMatch(/^Backed up 4 bikes, \d+ log entries, \d+ rides: .+backup\.json\n$/)
  expect(code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const text = await readFile(file, 'utf8')
  const keys = JSON.parse(
    await readFile(path.join(sample.TRACKER_DATA_DIR, 'sample-keys.json'), 'utf8'),
  ) as Record<string, string>
  for (const key of Object.values(keys)) expect(text).not.toContain(key)
  expect(text).not.toMatch(/\$2[aby]\$|argon|owner@example\.com|password|token/i)

  const owner = await signIn(stack.url)
  expect((await readBackup(owner, new AbortController().signal)).join('')).toBe(text)

  await owner.from('maintenance').delete().gt('id', 1)
  const rejected = await restore(sample, file)
  expect(rejected).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(await countRows(owner, 'maintenance')).toBe(1)
  expect((await restore(sample, file, '--replace')).code).toBe(0)
  expect(await countRows(owner, 'maintenance')).toBeGreaterThan(20)
  await stack.stop()

  expect((await restore(dataIn('new'), file)).output).toMatch(/^Restored 4 bikes/)
  expect((await backup(dataIn('new'), inFolder('again.json'))).code).toBe(0)
  expect(await readFile(inFolder('again.json'), 'utf8')).toBe(text)
})

test('names a backup by default, and a restored log that is empty stays empty', async () => {
  const contents = {
    format: 'rwgps-maintenance-tracker backup',
    version: 1,
    schema: '20261123101700',
    ...Object.fromEntries(TABLES.map((name) => [name, []])),
  }
  await writeFile(inFolder('empty.json'), JSON.stringify(contents))
  expect((await restore(dataIn('new'), inFolder('empty.json'), '--replace')).code).toBe(0)

  const { output } = await backup(dataIn('new'))
  const files = (await readdir(inFolder('new'))).filter((file) => file.includes('backup'))
  expect(files).toEqual([expect.stringMatching(/^sample-backup-\d{4}-\d\d-\d\dT\d{6}Z-\d{14}\.json$/)])
  expect(output).toContain(path.join(inFolder('new'), files[0]!))

  // With this file, a start does not create the sample log.
  expect(await readdir(inFolder('new'))).toContain('sample-log-seeded')
})

test('reports failures in one line and creates no folder', async () => {
  await writeFile(inFolder('broken.json'), '{"format":')
  const before = await readdir(folder)
  const failed = { code: 1, output: expect.stringMatching(oneMessage) }
  const nowhere = dataIn('nowhere')
  expect(await backup(nowhere)).toEqual(failed)
  expect(await restore(nowhere, inFolder('broken.json'))).toEqual(failed)
  expect(await restore(nowhere, inFolder('missing.json'))).toEqual(failed)
  expect(await restore(nowhere)).toEqual(failed)
  expect(await readdir(folder)).toEqual(before)
})

test('reports nothing to back up after an interrupted first start', async () => {
  const { url, drop } = await createEmpty()
  const { code, output } = await backup({ ...dataIn('cut'), DATABASE_URL: url })
  expect(code).toBe(1)
  expect(output).toMatch(oneMessage)
  expect(output).toContain('nothing to back up')
  await drop()
})
