import type { CsvItem } from '../entries/csv.ts'
import type { Item } from '../entries/fields.ts'
import type { Line } from './columns.ts'
import type { Asked, Choices, Reading } from './lines.ts'
import { classifyRow, contentKey, earlierOnlyFirst, type Log, type Row } from './row.ts'

type Numbered = { line: number } & Row

type Rows<Kind extends Row['kind']> = Extract<Numbered, { kind: Kind }>[]

export type Preview = Asked & {
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
  /** Columns that aren't imported. */
  ignored: readonly string[]
}

/** A line that no other text of a cell can mend. */
const refusedRow = (name: string, message: string): Extract<Row, { kind: 'refused' }> => ({
  kind: 'refused',
  name,
  messages: [message],
  wrong: [],
  cells: {},
})

/** Compares a line with the log. */
export function rowOf(line: Line, log: Log): Numbered {
  const row: Row = 'message' in line ? refusedRow('', line.message) : classifyRow(line.cells, log)
  return Object.assign({ line: line.line }, row)
}

/** Compares a file with the log. `rows`: its lines. */
export function previewOf({ items, asked, ignored }: Reading, rows: readonly Numbered[]): Preview {
  const newestId = items.reduce((highest, { id }) => Math.max(highest, id), 0)
  const groups = groupRows(refuseRepeatedIds(rows), items)
  return refuseLaterUsage({ ...groups, itemCount: items.length, newestId, ...asked, ignored })
}

type Shown = { preview: Preview; choices: Choices }

/** Returns whether an answer is missing without which no line can be read. */
export function isUnread({ preview, choices: { bikeId = null, named } }: Shown): boolean {
  const { bikes, strangers, starts, unit, added, changed } = preview
  return (
    (bikes.length > 0 && bikeId === null) ||
    (strangers.length > 0 && !named?.size && added.length + changed.length === 0) ||
    unit?.chosen === null ||
    (starts.length > 0 && starts.every(({ day }) => day === null))
  )
}

/** Returns whether the preview is what would be imported. */
export const isAnswered = (shown: Shown): boolean => !isUnread(shown) && !shown.preview.dates.isOpen

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
