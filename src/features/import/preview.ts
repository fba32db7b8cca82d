import type { Bike } from '../bikes'
import type { Item } from '../maintenance'
import { columnsOf, KNOWN_HEADERS } from './columns.ts'
import { readTable } from './csv-file.ts'
import { contentKey, type Log, readLine, type Reading } from './line.ts'

type At<Kind extends Reading['kind']> = { line: number } & Extract<Reading, { kind: Kind }>

/** What an import would do, line by line; nothing of it is written yet. */
export type Preview = {
  added: At<'new'>[]
  changed: At<'known'>[]
  refused: At<'refused'>[]
  /** How many lines say what is stored. */
  unchanged: number
  /** Lines without an ID that equal a record of the log. */
  present: At<'new'>[]
  /** The log that all this was found beside: how many records, and the greatest id. */
  records: number
  newest: number
}

/** Holds the text of a CSV file against the log. Throws an UnreadableFile when it cannot be read at all. */
export function previewOf(text: string, items: readonly Item[], bikes: readonly Bike[]): Preview {
  const table = readTable(text, KNOWN_HEADERS)
  const cellsOf = columnsOf(table)
  const log: Log = { items: new Map(items.map((item) => [item.id, item])), bikes }
  const readings = table.lines.map(({ line, cells, isBroken }) => {
    const found = isBroken ? { reason: 'A quotation mark is not closed, or stands alone.' } : cellsOf(cells)
    const reading: Reading =
      'reason' in found ? { kind: 'refused', reasons: [found.reason] } : readLine(found, log)
    return Object.assign({ line }, reading)
  })
  const sorted = sortReadings(refuseTwice(readings), items)
  const newest = items.reduce((greatest, { id }) => Math.max(greatest, id), 0)
  return { ...sorted, records: items.length, newest }
}

type Line = { line: number } & Reading

/** A record is told once: the second line of the same ID is refused. */
function refuseTwice(lines: readonly Line[]): Line[] {
  const told = new Map<number, number>()
  return lines.map((line) => {
    const id = idOf(line)
    if (id === null) return line
    const first = told.get(id)
    told.set(id, first ?? line.line)
    if (first === undefined) return line
    return { line: line.line, kind: 'refused', reasons: [`ID: ${id} is on line ${first} already.`] }
  })
}

function idOf(line: Line): number | null {
  if (line.kind === 'known') return line.item.id
  return line.kind === 'new' && line.unknownId !== null ? Number(line.unknownId) : null
}

function sortReadings(lines: readonly Line[], items: readonly Item[]) {
  const known = lines.filter((line) => line.kind === 'known')
  const spare = spareRecords(items, new Set(known.map(({ item }) => item.id)))
  const added: At<'new'>[] = []
  const present: At<'new'>[] = []
  for (const line of lines) {
    if (line.kind !== 'new') continue
    const key = contentKey(line.bike.gear_id, line.values)
    const left = spare.get(key) ?? 0
    spare.set(key, left - 1)
    ;(left > 0 ? present : added).push(line)
  }
  return {
    added,
    present,
    changed: known.filter(({ changes }) => changes.length > 0),
    unchanged: known.filter(({ changes }) => changes.length === 0).length,
    refused: lines.filter((line) => line.kind === 'refused'),
  }
}

/** How many records of each content no line names by its ID: each of them stands for one line without. */
function spareRecords(items: readonly Item[], named: ReadonlySet<number>): Map<string, number> {
  const spare = new Map<string, number>()
  for (const item of items) {
    if (named.has(item.id)) continue
    const key = contentKey(item.bikeId, item)
    spare.set(key, (spare.get(key) ?? 0) + 1)
  }
  return spare
}
