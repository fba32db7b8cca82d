import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './settings.ts'

/** Creates the folder if need be and takes it for this process; the returned function gives it free again. */
export async function takeDataFolder(folder: string): Promise<() => void> {
  await requireWritable(folder)
  // SQLite locks its file with the operating system's own locks, the only kind that a `kill -9` cannot leave behind
  // and that Node reaches without an addon. The file stays empty.
  const lock = new DatabaseSync(path.join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    throw new StartError(
      `The data folder ${folder} is in use by another instance; stop that one, or set TRACKER_DATA_DIR to another folder.`,
    )
  }
  return () => lock.close()
}

async function requireWritable(folder: string): Promise<void> {
  const probe = path.join(folder, `.writable-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, 'x')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data folder ${folder} cannot be written (${code}); free or repair it, or set TRACKER_DATA_DIR to another folder.`,
    )
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}
