import { stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../tests/running.ts'
import { createDiskReserve, protectSecrets, requireWritable } from './data-folder.ts'
import { StartError } from './settings.ts'

const MEGABYTE = 2 ** 20

vi.mock('node:fs/promises', { spy: true })

let folder: string
let remove: () => Promise<void>
beforeEach(async () => ({ folder, remove } = await temporaryFolder()))
afterEach(() => remove())

const file = () => path.join(folder, 'reserve')
const reserved = async () => (await stat(file())).size
const free = (bytes: number) =>
  vi
    .mocked(statfs)
    .mockResolvedValue({ bavail: bytes / 1024, bsize: 1024 } as Awaited<ReturnType<typeof statfs>>)

test('takes a file with secrets from other users', async () => {
  await protectSecrets(file())
  await writeFile(file(), 'RWGPS_API_KEY=k', { mode: 0o644 })
  await protectSecrets(file())
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})

test('reserves space on a disk with plenty', async () => {
  free(100 * MEGABYTE)
  await createDiskReserve(folder)
  expect(await reserved()).toBe(8 * MEGABYTE)
})

test('frees what a request needs and reserves it again later', async () => {
  free(100 * MEGABYTE)
  const freeDiskSpace = await createDiskReserve(folder)
  free(1024)
  await freeDiskSpace()
  expect(await reserved()).toBe(8 * MEGABYTE - 255 * 1024)
  free(MEGABYTE)
  await freeDiskSpace()
  expect(await reserved()).toBe(8 * MEGABYTE - 255 * 1024)
  free(100 * MEGABYTE)
  await freeDiskSpace()
  expect(await reserved()).toBe(8 * MEGABYTE)
})

test('frees everything that is left', async () => {
  await writeFile(file(), 'x'.repeat(1000))
  free(0)
  await createDiskReserve(folder)
  expect(await reserved()).toBe(0)
})

test('reserves nothing on a nearly full disk', async () => {
  free(MEGABYTE)
  await createDiskReserve(folder)
  await expect(stat(file())).rejects.toThrow('ENOENT')
})

const cannotWrite = (folder: string, code: string) =>
  new StartError(
    `The data folder ${folder} can't be written to (${code}). Check its disk space and permissions, or set TRACKER_DATA_DIR to another folder.`,
  )

test('reports a folder that cannot be written to', async () => {
  await writeFile(file(), '')
  const inFile = path.join(file(), 'data')
  await expect(requireWritable(inFile)).rejects.toEqual(cannotWrite(inFile, 'ENOTDIR'))
})

test.runIf(process.platform === 'linux')('rejects a data folder in /proc', async () => {
  await expect(requireWritable('/proc/x')).rejects.toEqual(cannotWrite('/proc/x', 'ENOENT'))
})
