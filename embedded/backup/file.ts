import { rename, rm, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { BACKUP_FORMAT, BACKUP_VERSION } from '../../src/lib/backup-file.ts'
import { readTextFile, StartError } from '../settings.ts'
import { TABLES } from './tables.ts'

export interface Backup {
  /** The original text, which PostgreSQL parses itself, since numbers would lose digits in JavaScript. */
  text: string
  /** The version of the source database's newest migration. */
  schema: string
  tables: { name: string; columns: string[]; rows: number }[]
}

const Schema = v.pipe(v.string(), v.regex(/^\d{14}$/))
const Value = v.union([v.string(), v.number(), v.boolean(), v.null()])
// Trash rows store items as JSON objects.
const Row = v.record(v.string(), v.union([Value, v.record(v.string(), Value)]))
const Rows = v.array(Row)

// Every version exports all of its tables, even empty ones. Restoring a file that lacks one would empty that table.
const Tables = v.strictObject(Object.fromEntries(TABLES.map(({ name }) => [name, Rows])))

// The first migration of the last preview of version 1.0.
const OLDEST = '20261123'

/**
 * Columns of the last preview: a row's request and what changed it, because requests and changes name commands now, and what
 * quick checks compared instead of a digest.
 */
export const FORMER = { key: 'request_key', source: 'source', zone: 'home_zone', newest: 'newest_ids' }

/** Parses a backup. Throws a StartError that names `source` if it is invalid. */
export function parseBackup(text: string, source: string): Backup {
  const invalid = (why: string) => new StartError(`${source} can't be restored: ${why}. Nothing was changed.`)

  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid("it isn't complete, valid JSON")
  }
  const { format, version, schema, ...rest } = Object(json) as Record<string, unknown>
  if (format !== BACKUP_FORMAT) throw invalid("it wasn't written by this tracker")
  if (version !== BACKUP_VERSION)
    throw invalid(`its format version is ${JSON.stringify(version)}, not ${BACKUP_VERSION}`)
  if (!v.is(Schema, schema)) throw invalid('its schema version is missing or invalid')

  if (schema < OLDEST)
    throw invalid('restore it with the last preview of version 1.0 (commit 3b84a2e3), and back up there')

  const read = v.safeParse(Tables, rest)
  if (!read.success) {
    const [issue] = read.issues
    const problem = issue.received === 'undefined' ? 'is missing' : 'is invalid'
    throw invalid(`${v.getDotPath(issue)} ${problem}`)
  }
  const tables = Object.entries(read.output).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    const different = rows.findIndex((row) => Object.keys(row).join() !== columns.join())
    if (different >= 0) throw invalid(`${name}.${different} has different fields than the first row`)
    return {
      name,
      columns: columns.filter((column) => !Object.values(FORMER).includes(column)),
      rows: rows.length,
    }
  })
  return { text, schema, tables }
}

/** Reads a backup file. Throws a StartError if it can't be read or is invalid. */
export const readBackupFile = (file: string): Backup => parseBackup(readTextFile(file), file)

/** Writes or replaces a file atomically, readable only by its owner. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.new`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw new StartError(`Can't write ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

export function describe({ tables }: Backup): string {
  const count = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0
  return `${count('bikes')} bikes, ${count('maintenance')} log entries, ${count('rides')} rides`
}
