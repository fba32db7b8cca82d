import * as v from 'valibot'

import { DISTANCES } from '../../../supabase/functions/_shared/formats/settings.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { NEUTRAL_FORMATS, parseNumber } from '../../lib/formats.ts'
import { CSV_FIELDS, type CsvField } from '../entries/csv.ts'
import { type Sheet, type SheetLine, UnreadableFile } from './csv-file.ts'
import {
  type Column,
  COLUMNS,
  FOREIGN_COLUMNS,
  HEADER_WORDS,
  LABELS,
  OWN_HEADERS,
  plainHeader,
  READING_COLUMNS,
  READING_OF,
  type Unit,
  unitIn,
  withoutUnit,
} from './headers.ts'

/** What each of a file's columns is. Null: not imported. */
export type Targets = readonly (Column | null)[]

export type Proposal = {
  targets: Targets
  /** The unit of readings of the odometer, if the owner has said it for this header before. */
  unit: Unit | null
  /** Whether the owner needn't look at the columns first. */
  isSure: boolean
  /** Whether the file is an export, so a word that isn't in a list is an error. */
  isOwn: boolean
  /** Whose file this is. */
  source: string | null
}

/** A line's cells by column. Columns that the file doesn't have are absent. */
export type Cells = Partial<Record<Column, string>>

/** A line, numbered as in a spreadsheet. `message` explains why it can't be read. */
export type Line = { line: number } & ({ cells: Cells } | { message: string })

/** What the owner has said about files, by header. */
export type Remembered = Record<string, { targets: Targets; unit: Unit | null }>

export const rememberedColumnsAtom = preferenceAtom<Remembered>(
  'import-columns',
  {},
  v.record(
    v.string(),
    v.object({
      targets: v.array(v.nullable(v.picklist(COLUMNS))),
      unit: v.nullable(v.picklist(DISTANCES)),
    }),
  ),
)

const MAX_REMEMBERED = 50

/** Adds what the owner said about a header, and forgets the oldest ones. */
export function remember(all: Remembered, { headers }: Sheet, said: Remembered[string]): Remembered {
  const others = Object.entries(all).filter(([key]) => key !== keyOf(headers))
  const { targets, unit } = said
  return Object.fromEntries([...others.slice(1 - MAX_REMEMBERED), [keyOf(headers), { targets, unit }]])
}

const keyOf = (headers: readonly string[]) => headers.join('\t').toLowerCase()

/** The headers of other trackers' files, in their order, and what their columns are. Own columns may follow. */
const SOURCES: readonly { source: string; headers: string; targets: Targets }[] = [
  {
    source: 'Strava’s components',
    headers: 'Bike Name,Component Type,Component Brand,Component Model',
    targets: ['bike', 'kind', 'name', 'name'],
  },
  {
    source: 'a LubeLogger export',
    headers: 'Date,Description,Cost,Notes,Odometer,Tags',
    targets: ['dateStarted', 'name', 'cost', 'description', null, null],
  },
]

/** Says what a file's columns are, as far as that is known. Throws an UnreadableFile. */
export function proposeColumns(sheet: Sheet, remembered: Remembered = {}): Proposal {
  const { headers, lines } = sheet
  const own = ownColumns(headers)
  const isOwn = own.includes('name') && (own.includes('id') || own.includes('dateStarted'))
  const kept = remembered[keyOf(headers)]
  if (kept) return { ...kept, isSure: true, isOwn, source: null }
  const base = { unit: null, isOwn, source: null }
  if (isOwn) return { ...base, targets: own, isSure: true }
  const known = SOURCES.find((source) => keyOf(headers).startsWith(keyOf(source.headers.split(','))))
  if (known) {
    const targets = headers.map((_, index) => known.targets[index] ?? null)
    return { ...base, targets, isSure: true, source: known.source }
  }
  if (headers.filter((header) => header !== '').length < 2 || lines.length === 0)
    throw new UnreadableFile('Not a log export: the first line must contain the column names.')
  const targets = foreignColumns(sheet)
  const isSheet = targets.includes('name') && READING_COLUMNS.every((column) => targets.includes(column))
  return { ...base, targets, isSure: isSheet, source: isSheet ? 'an odometer sheet' : null }
}

function ownColumns(headers: readonly string[]): Targets {
  const found = headers.map((header) => COLUMNS.find((column) => isSame(OWN_HEADERS[column], header)) ?? null)
  const twice = found.find((column, index) => column !== null && found.indexOf(column) !== index)
  if (twice && found.includes('name'))
    throw new UnreadableFile(`The file has two columns named “${LABELS[twice]}”.`)
  return found
}

const isSame = (own: string | undefined, header: string) => own?.toLowerCase() === header.toLowerCase()

/** Says what the columns of an unknown sheet are likely to be, by their headers and cells. */
function foreignColumns({ headers, lines }: Sheet): Targets {
  const targets: (Column | null)[] = headers.map(() => null)
  const place = (column: Column, words: readonly string[]) => {
    for (const word of words) {
      const index = headers.findIndex((header, at) => targets[at] === null && plainHeader(header) === word)
      if (index === -1) continue
      const meant = meaningOf(column, headers[index]!, cellsIn(lines, index))
      if (meant === null || targets.includes(meant)) continue
      targets[index] = meant
      return
    }
  }
  for (const [column, words] of HEADER_WORDS) if (FOREIGN_COLUMNS.includes(column)) place(column, words)
  // A dated line says when. An odometer's reading beside it adds nothing.
  return targets.includes('dateStarted')
    ? targets.map((target) => (target === 'installed_at' ? null : target))
    : targets
}

const cellsIn = (lines: readonly SheetLine[], index: number): string[] =>
  lines.flatMap((line) => ('cells' in line ? (line.cells[index] ?? '').trim() : [])).filter(Boolean)

/** Tells a reading from a date, and leaves out a column with other texts than the log can have. */
function meaningOf(column: Column, header: string, cells: readonly string[]): Column | null {
  if (column === 'dateStarted' || column === 'dateEnded') {
    const isReading = unitIn(header) !== null || (cells.length > 0 && cells.every(isNumber))
    return isReading ? READING_OF[column] : column
  }
  if (!isStrict(column)) return column
  const { fromCsv, parse } = CSV_FIELDS[column]
  return cells.every((cell) => 'value' in (fromCsv ?? parse)(cell, NEUTRAL_FORMATS)) ? column : null
}

const isNumber = (cell: string) => parseNumber(withoutUnit(cell)) !== null

/** Returns whether a column's texts are either right or wrong. Any words may say the kind of a part. */
const isStrict = (column: Column): column is CsvField =>
  column === 'link' || column === 'type' || column === 'position' || column === 'ended_as'

/** The columns of which a file can have several. Their texts are joined. */
export const JOINED: readonly Column[] = ['name', 'description']

/** Returns the columns after the owner has chosen one. Another column that was the same isn't any more. */
export function chooseColumn(targets: Targets, index: number, chosen: Column | null): Targets {
  const isTaken = (target: Column | null) => target === chosen && chosen !== null && !JOINED.includes(chosen)
  return targets.map((target, at) => (at === index ? chosen : isTaken(target) ? null : target))
}

/** Returns the lines' cells by column, with the unit of the header after readings of the odometer. */
export function readColumns({ headers, lines }: Sheet, targets: Targets): Line[] {
  const last = targets.findLastIndex((target) => target !== null)
  return lines.map((line) => {
    if ('message' in line) return line
    if (line.cells.length <= last) return { line: line.line, message: 'This line has too few cells.' }
    const cells: Cells = {}
    for (const [index, target] of targets.entries()) {
      if (target === null) continue
      const cell = withUnit(target, line.cells[index] ?? '', unitIn(headers[index] ?? ''))
      cells[target] = JOINED.includes(target) ? join(target, cells[target], cell) : cell
    }
    return { line: line.line, cells }
  })
}

const join = (target: Column, before: string | undefined, cell: string) =>
  before === undefined
    ? cell
    : [before, cell].filter((text) => text.trim() !== '').join(target === 'name' ? ' ' : ', ')

/** Adds the unit to a reading that has none. */
export function withUnit(column: Column, cell: string, unit: Unit | null): string {
  const isBare =
    READING_COLUMNS.some((reading) => reading === column) && unit !== null && unitIn(cell) === null
  return isBare && cell.trim() !== '' ? `${cell.trim()} ${unit}` : cell
}
