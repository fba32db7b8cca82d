import { CSV_FIELD_NAMES, CSV_FIELDS, type CsvField, KEY_HEADERS } from '../entries/csv.ts'

/** What a column of a file can be: one that an export has, or a reading of the bike's odometer. */
export type Column = keyof typeof KEY_HEADERS | CsvField | ReadingColumn

export type ReadingColumn = 'installed_at' | 'removed_at'

/** What each reading stands for. */
export const READING_OF = { dateStarted: 'installed_at', dateEnded: 'removed_at' } as const

export const READING_COLUMNS: readonly ReadingColumn[] = Object.values(READING_OF)

/** The headers of the columns that an export has. */
export const OWN_HEADERS: Readonly<Partial<Record<Column, string>>> = {
  ...KEY_HEADERS,
  ...Object.fromEntries(CSV_FIELD_NAMES.map((field) => [field, CSV_FIELDS[field].label])),
}

export const LABELS = {
  ...OWN_HEADERS,
  installed_at: 'Odometer when installed',
  removed_at: 'Odometer when removed',
} as Readonly<Record<Column, string>>

export const COLUMNS = Object.keys(LABELS) as Column[]

/** What only an export's own lines can have. */
const OWN_ONLY: ReadonlySet<Column> = new Set([
  'id',
  'bikeId',
  'part',
  'earlier_distance',
  'earlier_moving_time',
])

/** The columns that a sheet of another tracker can have, what a part is first. */
const FIRST: readonly Column[] = ['name', 'kind', 'position']

export const FOREIGN_COLUMNS: readonly Column[] = [
  ...FIRST,
  ...COLUMNS.filter((column) => !FIRST.includes(column) && !OWN_ONLY.has(column)),
]

const UNIT = /(?<![a-z])(?:(mi|miles?)|kms?|kilomet(?:er|re)s?)(?![a-z])/i

/** What other sheets call a column. Of several columns with the same meaning, the first word that occurs counts. */
const WORDS: Partial<Record<Column, string>> = {
  name: 'maintenance item, item, part name, part, component name, component, service, work, task, product, description',
  kind: 'component type, part type',
  description: 'notes, note, comments, comment, details, remarks',
  link: 'url, website, shop',
  cost: 'price, total cost, totalcost, total price, amount, paid',
  dateStarted:
    'start date, installed on, install date, installation date, date installed, installed at, installed, service date, date, day, started, since, added, fitted, purchased, purchase date',
  dateEnded:
    'end date, removed on, removal date, date removed, removed at, removed, ended, retired, retired on, until, replaced on',
  ended_as: 'reason',
  bike: 'bike name, vehicle',
  installed_at: 'install odometer, odometer at install, start odometer, odometer, odo, mileage',
  removed_at: 'removal odometer, odometer at removal, end odometer',
}

export const HEADER_WORDS: readonly (readonly [Column, readonly string[]])[] = COLUMNS.map((column) => [
  column,
  [OWN_HEADERS[column] ?? '', ...(WORDS[column] ?? '').split(', ')].map(plainHeader).filter(Boolean),
])

const KNOWN = new Set(HEADER_WORDS.flatMap(([, words]) => words))

/** Returns a header without case, unit and punctuation: `Installed_at (mi)` is `installed at`. */
export function plainHeader(header: string): string {
  const words = header.toLowerCase().replaceAll(/[\s_.:-]+/g, ' ')
  return words
    .replace(UNIT, ' ')
    .replaceAll(/[()[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export const isKnownHeader = (header: string): boolean => KNOWN.has(plainHeader(header))

export type Unit = 'mi' | 'km'

/** Returns the unit that a header or a cell names. */
export function unitIn(text: string): Unit | null {
  const found = UNIT.exec(text)
  return found && (found[1] === undefined ? 'km' : 'mi')
}

export const withoutUnit = (text: string): string => text.replace(UNIT, ' ').trim()
