import { stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../tests/running.ts'
import { createDiskReserve } from './reserve.ts'

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

test('takes space while there is plenty', async () => {
  free(100 * MEGABYTE)
  await createDiskReserve(folder)
  expect(await reserved()).toBe(8 * MEGABYTE)
})

test('gives back what a request needs, and takes it again later', async () => {
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

test('gives all that is left', async () => {
  await writeFile(file(), 'x'.repeat(1000))
  free(0)
  await createDiskReserve(folder)
  expect(await reserved()).toBe(0)
})

test('takes nothing of a disk that is nearly full', async () => {
  free(MEGABYTE)
  await createDiskReserve(folder)
  await expect(stat(file())).rejects.toThrow('ENOENT')
})
