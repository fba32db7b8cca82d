import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError, type Settings } from './settings.ts'

/** The data folder belongs to a process that runs. */
export class DataFolderInUse extends StartError {}

/** The folder of the database that the settings mean. */
export function databaseFolderOf({ dataFolder, account }: Pick<Settings, 'dataFolder' | 'account'>): string {
  return path.join(dataFolder, account)
}

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
    throw new DataFolderInUse(
      `The data folder ${folder} is in use by another instance; stop that one, or set TRACKER_DATA_DIR to another folder.`,
    )
  }
  return () => lock.close()
}

/** Whether a process has taken the folder; asked without taking it or writing anything. */
export function isDataFolderTaken(folder: string): boolean {
  const file = path.join(folder, 'lock')
  if (!existsSync(file)) return false
  const lock = new DatabaseSync(file, { readOnly: true })
  try {
    lock.exec('select name from sqlite_schema')
    return false
  } catch {
    return true
  } finally {
    lock.close()
  }
}

/** Creates the folder if need be; throws a StartError when nothing can be written into it. */
export async function requireWritable(folder: string): Promise<void> {
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

/** The PostgreSQL that PGlite is; its files cannot be read by another major version. */
const POSTGRES_MAJOR = '17'

/** Throws a StartError when another PostgreSQL than ours made the database in `folder`. */
export async function requireSamePostgres(folder: string): Promise<void> {
  const major = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (major === undefined || major.trim() === POSTGRES_MAJOR) return
  throw new StartError(
    `The database in ${folder} was made by PostgreSQL ${major.trim()}, and this version of the tracker brings ${POSTGRES_MAJOR}; ` +
      'back it up with the version that made it, and restore that into an empty folder.',
  )
}

/**
 * Makes a new database by `make`. When that is cut short, what it left is no database, and holds nothing yet: the next
 * start clears it away and begins anew.
 */
export async function makingDatabase<T>(folder: string, make: () => Promise<T>): Promise<T> {
  const mark = `${folder}-unfinished`
  if (existsSync(mark)) await rm(folder, { recursive: true, force: true })
  if (existsSync(folder)) return make()
  await mkdir(path.dirname(folder), { recursive: true })
  await writeFile(mark, '')
  // PGlite would make it readable by everybody, and the data folder may be one that the owner had before.
  await mkdir(folder, { mode: 0o700 })
  const made = await make()
  await rm(mark)
  return made
}
