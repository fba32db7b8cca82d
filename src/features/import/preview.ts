import { UNKNOWN_KIND } from '../../../supabase/functions/_shared/kinds.ts'
import { counted, formatCount, type Formats, formatsFor } from '../../lib/formats.ts'
import type { CsvItem } from '../entries/csv.ts'
import type { Item } from '../entries/fields.ts'
import { type Cells, parseCsv } from './csv-file.ts'
import { type Dates, datesOf } from './dates.ts'
import {
  classifyRow,
  contentKey,
  earlierOnlyFirst,
  type ImportBike,
  type Log,
  type Propose,
  type Row,
} from './row.ts'

type Numbered = { line: number } & Row

type Rows<Kind extends Row['kind']> = Extract<Numbered, { kind: Kind }>[]

export type Preview = {
  added: Rows<'new'>
  changed: Rows<'known'>
  refused: Rows<'refused'>
  /** The number of rows that match a stored item by ID and don't change it. */
  unchanged: number
  /** Rows without a known ID that equal a stored item. */
  present: Rows<'new'>
  /** The item count and highest ID of the log that the file was compared with. */
  itemCount: number
  newestId: number
  dates: Dates
  /** The bikes to choose from, because no line names one. */
  bikes: readonly ImportBike[]
  /** Columns that aren't imported. */
  ignored: readonly string[]
}

/** The owner's choices for a file: the order of its dates, its bike, and other cells, by line. */
export type Choices = {
  order?: Dates['order'] | null
  bikeId?: number | null
  mended?: ReadonlyMap<number, Cells>
}

/** A line that no other text of a cell can mend. */
const refusedRow = (name: string, message: string): Extract<Row, { kind: 'refused' }> => ({
  kind: 'refused',
  name,
  messages: [message],
  wrong: [],
  cells: {},
})

/** Compares a CSV file with the log. Throws an UnreadableFile. */
export function previewOf(
  text: string,
  items: readonly CsvItem[],
  bikes: readonly ImportBike[],
  formats: Formats,
  { order = null, bikeId = null, mended = new Map() }: Choices = {},
  propose: Propose = () => UNKNOWN_KIND,
): Preview {
  const { lines, ignored } = parseCsv(text)
  const lacksBikes = lines.every((line) => !('cells' in line) || needsBike(line.cells))
  if (lacksBikes && bikeId !== null)
    for (const line of lines) if ('cells' in line) line.cells.bikeId = String(bikeId)
  for (const line of lines) if ('cells' in line) Object.assign(line.cells, mended.get(line.line))
  const dates = datesOf(lines, formats.settings.dates, order)
  const reading = formatsFor({ ...formats.settings, dates: dates.order })
  const log: Log = { items: new Map(items.map((item) => [item.id, item])), bikes, formats, reading, propose }
  const rows = lines.map((line): Numbered => {
    const row: Row = 'message' in line ? refusedRow('', line.message) : classifyRow(line.cells, log)
    return Object.assign({ line: line.line }, row)
  })
  const newestId = items.reduce((highest, { id }) => Math.max(highest, id), 0)
  const groups = groupRows(refuseRepeatedIds(rows), items)
  const choosable = lacksBikes && lines.length > 0 ? bikes : []
  return refuseLaterUsage({ ...groups, itemCount: items.length, newestId, dates, bikes: choosable, ignored })
}

const needsBike = ({ id = '', bikeId = '', bike = '' }: Cells) => (id + bikeId + bike).trim() === ''

function refuseLaterUsage(preview: Preview): Preview {
  const messages = preview.added.flatMap(({ line, partOf, values }) =>
    partOf ? earlierOnlyFirst(values).map((message) => [line, message] as const) : [],
  )
  return refuse(preview, new Map(messages))
}

/** Refuses lines that would otherwise be imported. `messages` is by line. */
export function refuse(preview: Preview, messages: ReadonlyMap<number, string>): Preview {
  const refusedNow = ({ line, name }: { line: number; name: string }): Rows<'refused'> => {
    const message = messages.get(line)
    return message === undefined ? [] : [{ line, ...refusedRow(name, message) }]
  }
  const isKept = ({ line }: { line: number }) => !messages.has(line)
  const refused = [
    ...preview.refused,
    ...preview.added.flatMap(({ line, values }) => refusedNow({ line, name: values.name })),
    ...preview.changed.flatMap(({ line, after }) => refusedNow({ line, name: after.name })),
  ]
  return {
    ...preview,
    added: preview.added.filter(isKept),
    changed: preview.changed.filter(isKept),
    refused: refused.toSorted((a, b) => a.line - b.line),
  }
}

function refuseRepeatedIds(rows: readonly Numbered[]): Numbered[] {
  const firstLines = new Map<number, number>()
  return rows.map((row) => {
    const id = idOf(row)
    if (id === null) return row
    const first = firstLines.get(id)
    firstLines.set(id, first ?? row.line)
    if (first === undefined) return row
    return { line: row.line, ...refusedRow(nameOf(row), `ID: ${id} is already on line ${first}.`) }
  })
}

function nameOf(row: Row): string {
  if (row.kind === 'refused') return row.name
  return row.kind === 'known' ? row.after.name : row.values.name
}

function idOf(row: Row): number | null {
  if (row.kind === 'known') return row.item.id
  return row.kind === 'new' && row.unknownId !== null ? Number(row.unknownId) : null
}

function groupRows(rows: readonly Numbered[], items: readonly CsvItem[]): Groups {
  const known = rows.filter((row) => row.kind === 'known')
  const unmatched = groupUnmatched(items, new Set(known.map(({ item }) => item.id)))
  const added: Rows<'new'> = []
  const present: Rows<'new'> = []
  /** Items in the log, by the part number that the file gives them. */
  const partItems = new Map(known.map(({ partId, item }) => [partId, item]))
  for (const row of rows) {
    if (row.kind !== 'new') continue
    const match = unmatched.get(contentKey(row.bike.gear_id, row.values))?.shift()
    if (match && !partItems.has(row.partId)) partItems.set(row.partId, match)
    ;(match ? present : added).push(row)
  }
  return {
    added: added.map((row) => {
      const partOf = row.partId === null ? null : (partItems.get(row.partId) ?? null)
      return Object.assign(row, { partOf })
    }),
    present,
    changed: known.filter(({ changes }) => changes.length > 0),
    unchanged: known.filter(({ changes }) => changes.length === 0).length,
    refused: rows.filter((row) => row.kind === 'refused'),
  }
}

type Groups = Pick<Preview, 'added' | 'changed' | 'present' | 'unchanged' | 'refused'>

/** Groups items whose IDs aren't in the file by content. Each item can match one row without a known ID. */
function groupUnmatched(items: readonly Item[], named: ReadonlySet<number>): Map<string, Item[]> {
  const others = items.filter(({ id }) => !named.has(id))
  return Map.groupBy(others, (item) => contentKey(item.bikeId, item))
}

export const countItems = (count: number) => counted(count, 'log entry', 'log entries')

/** Returns how many lines would be imported. */
export const countOf = ({ added, changed }: Preview): number => added.length + changed.length

export function summaryOf({ added, changed, unchanged, present, refused }: Preview): string {
  const same = unchanged + present.length
  if (added.length + changed.length === 0) {
    return refused.length > 0
      ? `Nothing to import. ${counted(refused.length, 'line')} can’t be imported.`
      : `Nothing to import. Already in the log: ${counted(same, 'line')}.`
  }
  const parts = [
    added.length > 0 && `${formatCount(added.length)} to add`,
    changed.length > 0 && `${formatCount(changed.length)} to change`,
    same > 0 && `${formatCount(same)} already in the log`,
    refused.length > 0 && `${formatCount(refused.length)} can’t be imported`,
  ].filter((part) => part !== false)
  return `${parts.join(', ')}. Other log entries stay as they are.`
}

export function successMessage({ added, changed }: Preview): string {
  const parts = [
    added.length > 0 && `${countItems(added.length)} added`,
    changed.length > 0 && `${countItems(changed.length)} changed`,
  ].filter((part) => part !== false)
  return `Imported: ${parts.join(', ')}.`
}
