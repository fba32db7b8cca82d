import { CHECKS } from '../../../supabase/functions/_shared/database-errors.ts'
import { AXES, RIDE_AXES } from '../../../supabase/functions/_shared/axes.ts'
import { hasEnds, type KindAndPosition, UNKNOWN_KIND } from '../../../supabase/functions/_shared/kinds.ts'
import { type Formats, quote } from '../../lib/formats.ts'
import type { Day } from '../../lib/days.ts'
import { readText, unifyLines } from '../../lib/field-kinds.ts'
import type { Bike, NamedBike } from '../bikes/api.ts'
import type { Earlier } from '../entries/earlier.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, type CsvField, type CsvItem, type CsvValues } from '../entries/csv.ts'
import {
  COLUMN_NAMES,
  endsBeforeStart,
  type Item,
  neutralText,
  parseNew,
  type Values,
} from '../entries/fields.ts'
import type { Cells } from './columns.ts'
import { type Column, LABELS } from './headers.ts'
import { approximateIn, type Odometers, type Times, timesOf } from './readings.ts'

/** A bike, with the ids that an older file may have for it. */
export type ImportBike = Pick<Bike, 'gear_id' | 'name' | 'ids'>

export type Log = {
  items: ReadonlyMap<number, CsvItem>
  bikes: readonly ImportBike[]
  /** How the owner reads values. */
  formats: Formats
  /** How the file's values are read, with the file's order of dates. */
  reading: Formats
  /** Proposes what a line's part is. */
  propose: Propose
  /** Whether the file is an export of a log. Others say what a part is in their own words. */
  isOwn: boolean
  /** The owner's answers for bikes whose lines don't say when they start. */
  startDays: ReadonlyMap<number, Day>
  odometers: Odometers
}

export type Propose = (values: Pick<Item, 'name' | 'type'>) => KindAndPosition

export type Change = { field: CsvField; from: string; to: string }

export type Row =
  | { kind: 'refused'; name: string; messages: string[]; wrong: Column[]; cells: Cells }
  /** `partId` is the part's number in the file. */
  | { kind: 'known'; item: CsvItem; after: CsvItem; changes: Change[]; partId: number | null }
  /**
   * `unknownId` is an ID that isn't in the log; the item gets a new ID. New items with the same `partId` share a part:
   * the part of `partOf`, the item in the log to which the file gives this number, or else a new part. The log's own
   * part numbers are ignored, because the file may come from another tracker. `approximate`: the days that are those of readings.
   */
  | {
      kind: 'new'
      bike: NamedBike
      values: CsvValues
      partId: number | null
      partOf: Item | null
      unknownId: string | null
      approximate: readonly CsvField[]
    }

export function classifyRow(cells: Cells, log: Log): Row {
  const id = cells.id?.trim() ?? ''
  // Spreadsheets may save an ID with decimals.
  const isNumber = /^\d+(\.0*)?$/.test(id)
  const item = isNumber ? log.items.get(Number(id)) : undefined
  if (item) return classifyKnown(cells, item, log)
  if (id !== '' && !isNumber) return refuse(cells, [`ID: “${id}” is not a number.`])
  return classifyNew(cells, log, id === '' ? null : id)
}

function classifyKnown(cells: Cells, item: CsvItem, log: Log): Row {
  const moved = isOnAnotherBike(cells, item, log) ? ['Bike: Log entries can’t move to another bike.'] : []
  const part = partOf(cells)
  if (part !== null && part !== item.part_id) moved.push('Part: Log entries can’t become another part.')
  const { values, messages, wrong } = readValues(cells, item, log)
  if (moved.length + messages.length > 0) return refuse(cells, [...moved, ...messages], wrong)
  const after = { ...item, ...values }
  const changes = CSV_FIELD_NAMES.filter((field) => after[field] !== item[field]).map((field) => ({
    field,
    from: CSV_FIELDS[field].format(item[field] ?? null, log.formats),
    to: CSV_FIELDS[field].format(after[field] ?? null, log.formats),
  }))
  return { kind: 'known', item, after, changes, partId: part }
}

function classifyNew(line: Cells, log: Log, unknownId: string | null): Row {
  const cells = log.isOwn ? line : inOwnWords(line, log.propose)
  const bike = findBike(cells, log.bikes)
  const times = timesOf(cells, bike, log)
  const { values, messages, wrong } = readValues(cells, null, log, times)
  // An empty cell says that it is unknown. Files of other trackers have no such column.
  if (cells.kind === undefined && values.name) Object.assign(values, log.propose(values))
  const partId = partOf(cells)
  if (Number.isNaN(partId)) messages.unshift(`Part: “${cells.part}” is not a number.`)
  if (typeof bike === 'string') return refuse(cells, [bike, ...messages], wrong)
  return messages.length > 0
    ? refuse(cells, messages, wrong)
    : { kind: 'new', bike, values, partId, partOf: null, unknownId, approximate: approximateIn(times) }
}

/** Says what the part is in the words of the log's lists. Other files name parts by what they are if they name nothing else. */
function inOwnWords(cells: Cells, propose: Propose): Cells {
  const { kind: said = '', position = '' } = cells
  const name = (cells.name ?? '').trim() || said.trim()
  const byKind = said.trim() === '' ? UNKNOWN_KIND : propose({ name: said, type: null })
  const byName = propose({ name, type: cells.type?.trim() || null })
  const kind = byKind.kind ?? byName.kind
  const proposed = byKind.position ?? (byName.kind === kind ? byName.position : null)
  return { ...cells, name, kind: kind ?? '', position: position.trim() || (proposed ?? '') }
}

/** Returns the row's part number: null if the cell is empty, NaN if it isn't a number. */
function partOf({ part = '' }: Cells): number | null {
  const text = part.trim()
  if (text === '') return null
  return /^\d{1,15}(\.0*)?$/.test(text) ? Number(text) : Number.NaN
}

/** Returns error messages for earlier usage in a row that isn't a part's first item. */
export function earlierOnlyFirst(values: { [F in keyof Earlier]?: string | number | null }): string[] {
  return RIDE_AXES.map((axis) => AXES[axis].ride.earlier)
    .filter((field) => (values[field] ?? null) !== null)
    .map((field) => `${CSV_FIELDS[field].label}: Only the first log entry of a part has this.`)
}

/** Reads a row's fields. Unchanged cells keep the stored value. Invalid cells add messages; `wrong` lists those that another text can mend. */
function readValues(
  cells: Cells,
  stored: CsvItem | null,
  { reading: formats }: Log,
  times: Times = {},
): { values: CsvValues; messages: string[]; wrong: Column[] } {
  const messages: string[] = []
  const wrong: Column[] = []
  const entries = CSV_FIELD_NAMES.map((field) => {
    const cell = cells[field]
    if (stored && cell === undefined) return [field, stored[field]]
    if (stored && stored[field] === undefined) {
      messages.push(...earlierOnlyFirst({ [field]: cell?.trim() || null }))
      return [field, undefined]
    }
    const { fromCsv, ...kind } = CSV_FIELDS[field]
    const definition = { ...kind, parse: fromCsv ?? kind.parse }
    const { column = field, parsed } = times[field] ?? {
      parsed: stored
        ? readText(definition, cell ?? '', formats, stored[field])
        : parseNew(definition, cell ?? '', formats),
    }
    // Without a message, the line's bike is to be mended first.
    if ('message' in parsed && parsed.message !== '') {
      messages.push(`${labelOf(column, cells[column])}: ${parsed.message}`)
      // A missing column has no cell to mend.
      if (cells[column] !== undefined || !times[field]) wrong.push(column)
    }
    return [field, 'value' in parsed ? parsed.value : null]
  })
  const values = Object.fromEntries(entries) as CsvValues
  if (values.dateEnded === null && values.ended_as !== null) {
    if (values.ended_as !== stored?.ended_as) messages.push('Ended as: Enter an end first.')
    values.ended_as = null
  }
  if (values.position !== null && !hasEnds(values.kind)) {
    messages.push(`Position: ${CHECKS.maintenance_position_check}`)
    wrong.push('position')
  }
  if (messages.length === 0 && endsBeforeStart(values)) {
    const { column = 'dateEnded' } = times.dateEnded ?? {}
    const wanted = column === 'dateEnded' ? 'a date on or after' : 'a reading that isn’t before'
    messages.push(`${labelOf(column, cells[column])}: Enter ${wanted} the start.`)
    wrong.push(column)
  }
  return { values, messages, wrong }
}

function isOnAnotherBike({ bikeId, bike }: Cells, item: Item, { bikes }: Log): boolean {
  const own = bikes.find(({ gear_id }) => gear_id === item.bikeId)?.ids ?? [item.bikeId]
  const hasOther = bikeId !== undefined && bikeId.trim() !== '' && !own.includes(Number(bikeId))
  return hasOther || namesAnotherBike(bike, item.bikeId, bikes)
}

/** Finds bikes by their exact name or, without one, in any case. */
export function bikesNamed(cell = '', bikes: readonly NamedBike[]): readonly NamedBike[] {
  const name = cell.trim()
  const exact = bikes.filter((one) => one.name.trim() === name)
  return exact.length > 0
    ? exact
    : bikes.filter((one) => one.name.trim().toLowerCase() === name.toLowerCase())
}

/** Returns whether a cell names another bike. Ignores unknown names, because the bike may have been renamed. */
function namesAnotherBike(cell: string | undefined, gearId: number, bikes: readonly NamedBike[]): boolean {
  const named = bikesNamed(cell, bikes)
  return named.length > 0 && !named.some(({ gear_id }) => gear_id === gearId)
}

/** Returns a line's bike, or what is wrong with it. */
export function findBike(
  { bikeId = '', bike = '' }: Cells,
  bikes: readonly ImportBike[],
): NamedBike | string {
  const [id, name] = [bikeId.trim(), bike.trim()]
  const found = id === '' ? bikesNamed(name, bikes) : bikes.filter(({ ids }) => ids.includes(Number(id)))
  if (found.length > 1) return `Bike: There are several bikes named “${name}”. Enter the Bike ID.`
  if (!found[0]) return id + name === '' ? 'Bike: Enter a bike.' : `Bike: “${id || name}” doesn’t exist.`
  return namesAnotherBike(bike, found[0].gear_id, bikes)
    ? `Bike: “${name}” has a different Bike ID.`
    : found[0]
}

/** Identifies an item by the table's columns. Older files lack other fields. */
export function contentKey(bikeId: number, values: Values): string {
  return JSON.stringify([
    bikeId,
    ...COLUMN_NAMES.map((field) => unifyLines(neutralText(field, values[field]))),
  ])
}

/** Names a field and the value that can't be imported: `Start “31.2.2024”`. */
function labelOf(column: Column, cell = ''): string {
  const label = LABELS[column]
  return cell.trim() === '' ? label : `${label} ${quote(cell.trim())}`
}

function refuse(cells: Cells, messages: string[], wrong: Column[] = []): Row {
  return { kind: 'refused', name: (cells.name ?? '').trim(), messages, wrong, cells }
}
