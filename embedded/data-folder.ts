import { randomFillSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Settings, StartError } from './settings.ts'

/** Returns the path prefix of an account's files, such as its keys and backups. */
export function accountPrefix({ dataFolder, account }: Pick<Settings, 'dataFolder' | 'account'>): string {
  return path.join(dataFolder, account)
}

/** Throws a StartError if the data is still in a PGlite database, as in versions up to 0.1. */
export function refuseOldFormat(settings: Pick<Settings, 'dataFolder' | 'account'>): void {
  const folder = accountPrefix(settings)
  if (!existsSync(path.join(folder, 'PG_VERSION'))) return
  throw new StartError(
    `The data in ${folder} was saved by an older version of the tracker. To move it, restore its backup with the last preview ` +
      'of version 1.0 (commit 3b84a2e3), then start this version.',
  )
}

/** Creates the folder if needed. Throws a StartError if it isn't writable or its disk doesn't have `bytes` free. */
export async function requireWritable(folder: string, bytes = 0): Promise<void> {
  try {
    await createFolder(folder)
    await writeProbe(folder, bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${folder} can't be written to (${code}). Check its disk space and permissions, or set TRACKER_DATA_DIR to another folder.`,
    )
  }
}

/** Creates a folder and its parents. Node.js's `recursive` option hangs for folders in /proc. */
async function createFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder)
  if (!existsSync(parent)) await createFolder(parent)
  // If root starts the tracker, PostgreSQL runs as another user that needs access to the folder.
  await mkdir(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Takes the right to read a file with secrets from other users: an owner who writes it by hand rarely does. */
export async function protectSecrets(file: string): Promise<void> {
  // Without the file, or if it belongs to another user, there is nothing to do.
  await chmod(file, 0o600).catch(() => undefined)
}

/** Returns whether files can be written to the folder: false if its disk is full or read-only. */
export function isWritable(folder: string): Promise<boolean> {
  return writeProbe(folder).then(
    () => true,
    () => false,
  )
}

// PostgreSQL needs disk space to start, especially after a crash.
const MIN_FREE_BYTES = 16 * 2 ** 20

async function writeProbe(folder: string, bytes = 0): Promise<void> {
  const probe = path.join(folder, `.writable-${process.pid}`)
  try {
    await writeFile(probe, 'x')
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < MIN_FREE_BYTES + bytes)
      throw Object.assign(new Error('The disk is full'), { code: 'ENOSPC' })
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

export interface RunningStack {
  url: string
  account: Settings['account']
  /** Warnings for the owner about requests so far. */
  warnings: string[]
}

const fileIn = (dataFolder: string) => path.join(dataFolder, 'running.json')

/** Records the running stack in a file for other commands. Returns a function that removes the file. */
export async function writeRunning(dataFolder: string, running: RunningStack): Promise<() => Promise<void>> {
  await writeFile(fileIn(dataFolder), JSON.stringify(running), { mode: 0o600 })
  return () => removeRunning(dataFolder)
}

/** Removes the record of the running stack, which `kill -9` leaves behind. */
export async function removeRunning(dataFolder: string): Promise<void> {
  await rm(fileIn(dataFolder), { force: true })
}

/** Returns the stack that is running on the data folder; undefined if there isn't one or it is starting or stopping. */
export async function readRunningStack(dataFolder: string): Promise<RunningStack | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as RunningStack
  } catch {
    return undefined
  }
}

// Enough for years of hourly session refreshes.
const RESERVE_BYTES = 8 * 2 ** 20
// More than any Auth request writes.
const NEEDED_BYTES = 256 * 2 ** 10
const PLENTY_BYTES = 64 * 2 ** 20

/** Yields random bytes, which file systems can't compress. Reuses one buffer to save memory. */
function* randomChunks() {
  const chunk = Buffer.alloc(NEEDED_BYTES)
  for (let bytes = 0; bytes < RESERVE_BYTES; bytes += NEEDED_BYTES) yield randomFillSync(chunk)
}

/** Reserves disk space for sign-ins and session refreshes on a full disk. Returns a function that frees enough for one request. */
export async function createDiskReserve(dataFolder: string): Promise<() => Promise<void>> {
  const file = path.join(dataFolder, 'reserve')
  const sizeOf = () =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    )

  async function freeDiskSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(dataFolder)
    const free = bavail * bsize
    const size = await sizeOf()
    if (free < NEEDED_BYTES && size > 0) await truncate(file, Math.max(0, size + free - NEEDED_BYTES))
    if (free > PLENTY_BYTES && size < RESERVE_BYTES) await writeFile(file, randomChunks())
  }

  await freeDiskSpace()
  return freeDiskSpace
}
