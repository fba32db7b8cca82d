import { existsSync } from 'node:fs'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError, type Settings } from './settings.ts'

/** How the names of an account's files begin: its keys, its backups, the mark of the sample's log. */
export function accountPrefix({ dataFolder, account }: Pick<Settings, 'dataFolder' | 'account'>): string {
  return path.join(dataFolder, account)
}

/**
 * Throws a StartError when the account's data is still in the format of versions up to 0.1, which kept it in PGlite, in a
 * folder of the account's name. Nothing is read from there and nothing is changed.
 */
export function refuseOldFormat(settings: Pick<Settings, 'dataFolder' | 'account'>): void {
  const folder = accountPrefix(settings)
  if (!existsSync(path.join(folder, 'PG_VERSION'))) return
  throw new StartError(
    `The data in ${folder} was saved by an older version of the tracker. To carry it over: with that version, run ` +
      'npm run backup tracker.json; with this one, npm run restore tracker.json and npm start. Nothing was changed.',
  )
}

/** Creates the folder if there is none; throws a StartError when it can't be written to, or `bytes` don't fit. */
export async function requireWritable(folder: string, bytes = 0): Promise<void> {
  try {
    await createFolder(folder)
    await writeProbe(folder, bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${folder} can't be written to (${code}). Free space or repair it, or set TRACKER_DATA_DIR to another folder.`,
    )
  }
}

/** Creates a folder and its parents. Node's own `recursive` never returns for a folder in /proc. */
async function createFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder)
  if (!existsSync(parent)) await createFolder(parent)
  // Root's PostgreSQL runs as another user, who has to pass through.
  await mkdir(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Whether files can be written in the folder: not so when its disk is full or read-only. */
export function isWritable(folder: string): Promise<boolean> {
  return writeProbe(folder).then(
    () => true,
    () => false,
  )
}

// PostgreSQL needs some to start, above all after a crash.
const MIN_FREE_BYTES = 16 * 2 ** 20

/** Writes a file and removes it. A disk that is nearly full counts as full. */
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
