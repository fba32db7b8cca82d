import { UNKNOWN_KIND } from '../../../supabase/functions/_shared/kinds.ts'
import type { Day } from '../../lib/days.ts'
import { type Formats, formatsFor } from '../../lib/formats.ts'
import type { NamedBike } from '../bikes/api.ts'
import type { CsvItem } from '../entries/csv.ts'
import { type Cells, type Line, type Proposal, readColumns, type Targets, withUnit } from './columns.ts'
import type { Sheet } from './csv-file.ts'
import { type Dates, datesOf } from './dates.ts'
import { READING_COLUMNS, type Unit, unitIn } from './headers.ts'
import { groupReadings, lacksStart, parseReading } from './readings.ts'
import { bikesNamed, findBike, type ImportBike, type Log, type Propose } from './row.ts'

/** The owner's choices for a file: its columns, the order of its dates, its bikes, unit and starts, and other cells, by line. */
export type Choices = {
  targets?: Targets
  order?: Dates['order'] | null
  bikeId?: number | null
  /** Bikes by the names that the file has for them. */
  named?: ReadonlyMap<string, number>
  unit?: Unit | null
  startDays?: ReadonlyMap<number, Day>
  mended?: ReadonlyMap<number, Cells>
}

/** What a file is compared with, and how its columns are read. */
export type Compared = {
  items: readonly CsvItem[]
  bikes: readonly ImportBike[]
  formats: Formats
  propose?: Propose
  proposal: Proposal
}

/** A bike whose lines don't say when they start, and what the owner says. */
export type Start = { bike: NamedBike; day: Day | null }

/** What the file doesn't say, with the owner's answers. */
export type Asked = {
  dates: Dates
  /** The bikes to choose from, because no line names one. */
  bikes: readonly ImportBike[]
  /** Names of unknown bikes, and the bikes to choose from. */
  strangers: readonly string[]
  starts: readonly Start[]
  /** Null: the file says the unit of its readings. */
  unit: { chosen: Unit | null } | null
}

/** A file's lines as the owner has answered, and how they are read. */
export type Reading = {
  lines: readonly Line[]
  log: Omit<Log, 'odometers'>
  asked: Asked
  /** Columns that aren't imported. */
  ignored: readonly string[]
  items: readonly CsvItem[]
}

export function readSheet(sheet: Sheet, compared: Compared, choices: Choices = {}): Reading {
  const { items, bikes, formats, propose = () => UNKNOWN_KIND, proposal } = compared
  const { order = null, startDays = new Map<number, Day>() } = choices
  const { targets = proposal.targets, unit = proposal.unit } = choices
  const lines = readColumns(sheet, targets)
  const cells = lines.flatMap((line) => ('cells' in line ? [line.cells] : []))
  const lacksBikes = cells.every(needsBike)
  const strangers = strangersIn(cells, bikes)
  const asksUnit = cells.some((each) => READING_COLUMNS.some((column) => needsUnit(each[column])))
  for (const line of lines)
    if ('cells' in line) answer(line.line, line.cells, { ...choices, unit }, lacksBikes)
  const dates = datesOf(lines, formats.settings.dates, order)
  const log = {
    items: new Map(items.map((item) => [item.id, item])),
    bikes,
    formats,
    reading: formatsFor({ ...formats.settings, dates: dates.order }),
    propose,
    isOwn: proposal.isOwn,
    startDays,
  }
  const asked = {
    dates,
    bikes: lacksBikes && lines.length > 0 ? bikes : [],
    strangers,
    starts: startsAsked(cells, log),
    unit: asksUnit ? { chosen: unit } : null,
  }
  const ignored = sheet.headers.filter((header, index) => header !== '' && targets[index] === null)
  return { lines, log, asked, ignored, items }
}

/** Writes what the owner has said into a line's cells. */
function answer(line: number, cells: Cells, choices: Choices, lacksBikes: boolean) {
  const { bikeId = null, named, mended, unit = null } = choices
  const known = named?.get((cells.bike ?? '').trim())
  if (lacksBikes && bikeId !== null) cells.bikeId = String(bikeId)
  if (known !== undefined) Object.assign(cells, { bike: '', bikeId: String(known) })
  Object.assign(cells, mended?.get(line))
  for (const column of READING_COLUMNS)
    if (cells[column] !== undefined) cells[column] = withUnit(column, cells[column], unit)
}

const needsBike = ({ id = '', bikeId = '', bike = '' }: Cells) => (id + bikeId + bike).trim() === ''

const needsUnit = (cell = '') => cell.trim() !== '' && unitIn(cell) === null

/** More names than these aren't bikes'. */
const MAX_STRANGERS = 12

/** Returns the names that are no bike's, of lines without another sign of their bike. */
function strangersIn(cells: readonly Cells[], bikes: readonly ImportBike[]): string[] {
  const others = cells.filter(({ id = '', bikeId = '' }) => (id + bikeId).trim() === '')
  const names = new Set(others.map(({ bike = '' }) => bike.trim()).filter(Boolean))
  const strangers = [...names].filter((name) => bikesNamed(name, bikes).length === 0)
  return strangers.length > MAX_STRANGERS ? [] : strangers
}

/** Returns the readings whose days the database knows. */
export function readingsIn({ lines, log }: Reading) {
  const readings = lines.flatMap((line) => {
    if (!('cells' in line)) return []
    const bike = findBike(line.cells, log.bikes)
    if (typeof bike === 'string') return []
    return READING_COLUMNS.flatMap((column) => {
      const parsed = parseReading(line.cells[column] ?? '', null)
      return 'value' in parsed ? [{ gear_id: bike.gear_id, meters: parsed.value }] : []
    })
  })
  return groupReadings(readings)
}

/** Returns the bikes whose lines don't say when they start. */
function startsAsked(
  cells: readonly Cells[],
  { items, bikes, startDays }: Pick<Log, 'items' | 'bikes' | 'startDays'>,
): Start[] {
  const asked = new Map<number, Start>()
  for (const line of cells) {
    if (!lacksStart(line) || items.has(Number(line.id ?? Number.NaN))) continue
    const bike = findBike(line, bikes)
    if (typeof bike !== 'string') asked.set(bike.gear_id, { bike, day: startDays.get(bike.gear_id) ?? null })
  }
  return [...asked.values()]
}
