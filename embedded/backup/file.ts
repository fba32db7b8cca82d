import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { BACKUP_FORMAT, BACKUP_TABLES, BACKUP_VERSION } from '../../src/lib/backup-file.ts'
import { StartError } from '../settings.ts'

/** A backup that was read and looked through. */
export interface Backup {
  /** The file's text as it is, for PostgreSQL to read: numbers that went through JavaScript may lose digits. */
  text: string
  /** The version of the newest migration of the database that it was made from. */
  schema: string
  tables: { name: string; columns: string[]; rows: number }[]
}

const Schema = v.pipe(v.string(), v.regex(/^\d{14}$/))
const Row = v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))
// Every version wrote all of these, also for an empty tracker. A file that lacks one would leave that table empty.
const Tables = v.strictObject(v.entriesFromList(BACKUP_TABLES, v.array(Row)))

/** Reads the text of a backup; `source` names it in the StartError that tells what is wrong with it. */
export function parseBackup(text: string, source: string): Backup {
  const refuse = (why: string) =>
    new StartError(`${source} is no backup that can be restored: ${why}; nothing was changed.`)

  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refuse('it is not whole, or no JSON')
  }
  const { format, version, schema, ...rest } = Object(json) as Record<string, unknown>
  if (format !== BACKUP_FORMAT) throw refuse('it was not written by this tracker')
  if (version !== BACKUP_VERSION)
    throw refuse(`its format is ${JSON.stringify(version)}, not ${BACKUP_VERSION}`)
  if (!v.is(Schema, schema)) throw refuse('it does not tell its schema')

  const read = v.safeParse(Tables, rest)
  if (!read.success) {
    const [issue] = read.issues
    const fault = issue.received === 'undefined' ? 'is missing' : 'is not as it should be'
    throw refuse(`${v.getDotPath(issue)} ${fault}`)
  }
  const tables = Object.entries(read.output).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    const odd = rows.findIndex((row) => Object.keys(row).join() !== columns.join())
    if (odd >= 0) throw refuse(`${name}.${odd} has other fields than the row before it`)
    return { name, columns, rows: rows.length }
  })
  return { text, schema, tables }
}

/** Reads a backup file; a StartError tells why it cannot be restored. */
export async function readBackupFile(file: string): Promise<Backup> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read (${error.code}).`)
  })
  return parseBackup(text, file)
}

/** Writes a file that its owner alone may read: whole, or not at all. A file that was there before is replaced. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.new`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw new StartError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** In words, what a backup holds. */
export function describe({ tables }: Backup): string {
  const count = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0
  return `${count('bikes')} bikes, ${count('maintenance')} records of maintenance, ${count('rides')} rides`
}
