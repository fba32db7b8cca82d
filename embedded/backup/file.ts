import { createReadStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { BACKUP_FORMAT, BACKUP_VERSION } from '../../src/lib/backup-file.ts'
import { StartError } from '../settings.ts'
import { splitJson } from './split-json.ts'

export interface Backup {
  file: string
  /** The version of the source database's newest migration. */
  schema: string
  /** The number of rows by table. */
  tables: Map<string, number>
}

// The first migration of the last preview of version 1.0.
const OLDEST = '20261123'

const Value = v.union([v.string(), v.number(), v.boolean(), v.null()])
// Trash rows store items as JSON objects.
const Row = v.record(v.string(), v.union([Value, v.record(v.string(), Value)]))
const Header = v.looseObject({ schema: v.pipe(v.string(), v.regex(/^\d{14}$/)) })

const partsOf = (file: string) => splitJson(textOf(file))

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}

/** Reads a backup file once and validates it. Throws a StartError if it can't be read or is invalid. */
export async function readBackup(file: string): Promise<Backup> {
  const invalid = (why: string) => new StartError(`${file} can't be restored: ${why}. Nothing was changed.`)
  const header: Record<string, unknown> = {}
  const tables = new Map<string, number>()
  let columns = ''
  try {
    for await (const { name, value, element } of partsOf(file)) {
      if (value !== undefined) header[name] = JSON.parse(value)
      else if (element === undefined) tables.set(name, 0)
      else {
        const index = tables.get(name)!
        const row: unknown = JSON.parse(element)
        if (!v.is(Row, row)) throw invalid(`${name}.${index} is invalid`)
        const own = Object.keys(row).join()
        if (index === 0) columns = own
        if (own !== columns) throw invalid(`${name}.${index} has different fields than the first row`)
        tables.set(name, index + 1)
      }
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid("it isn't complete, valid JSON")
    if (error instanceof TypeError) throw invalid("it isn't UTF-8 text")
    if (error instanceof StartError) throw error
    throw new StartError(`Can't read ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
  const { format, version, ...rest } = header
  if (format !== BACKUP_FORMAT) throw invalid("it wasn't written by this tracker")
  if (version !== BACKUP_VERSION)
    throw invalid(`its format version is ${JSON.stringify(version)}, not ${BACKUP_VERSION}`)
  if (!v.is(Header, rest)) throw invalid('its schema version is missing or invalid')
  const { schema, ...others } = rest
  const [other] = Object.keys(others)
  if (other) throw invalid(`${other} is invalid`)
  if (schema < OLDEST)
    throw invalid('restore it with the last preview of version 1.0 (commit 3b84a2e3), and back up there')
  return { file, schema, tables }
}

const MAX_ROWS = 1000
const MAX_LENGTH = 2 ** 20

/** Reads the rows of a backup in pieces, as the text of JSON lists. */
export async function* readRows({ file }: Backup): AsyncGenerator<{ table: string; rows: string }> {
  let table = ''
  let rows: string[] = []
  let length = 0
  const piece = () => {
    length = 0
    return { table, rows: `[${rows.splice(0).join()}]` }
  }
  for await (const { name, element } of partsOf(file)) {
    if (rows.length > 0 && (name !== table || rows.length === MAX_ROWS || length > MAX_LENGTH)) yield piece()
    table = name
    if (element === undefined) continue
    rows.push(element)
    length += element.length
  }
  if (rows.length > 0) yield piece()
}

/** Writes or replaces a file atomically, readable only by its owner. */
export async function writeAtomically(file: string, text: string | AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.${process.pid}.new`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    if (!('syscall' in (error as Error))) throw error
    throw new StartError(`Can't write ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Says what a backup has. */
export function describe({ tables }: Pick<Backup, 'tables'>): string {
  const count = (name: string) => tables.get(name) ?? 0
  const files = count('entry_files') > 0 ? `, ${count('entry_files')} photos and receipts` : ''
  return `${count('bikes')} bikes, ${count('maintenance')} log entries, ${count('rides')} rides${files}`
}
