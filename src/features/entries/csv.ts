import { END_REASONS, MAX_METERS, MAX_SECONDS, TYPES } from '../../../supabase/functions/_shared/limits.ts'
import { KIND_NAMES, type KindAndPosition, POSITIONS } from '../../../supabase/functions/_shared/kinds.ts'
import type { Client } from '../../lib/backend.ts'
import { unwrap } from '../../lib/errors.ts'
import { optional, selectKind } from '../../lib/field-kinds.ts'
import { currencyCodes } from '../../lib/formats.ts'
import { numberKind } from '../../lib/forms.ts'
import { DEFAULT_SETTINGS } from '../../lib/settings.ts'
import { readAllItems } from './api.ts'
import type { Earlier } from './earlier.ts'
import { compareTimes, type Field, type FieldDefinition, FIELDS, type Item, type Value } from './fields.ts'

const EARLIER = {
  distance: optional({ ...numberKind({ max: MAX_METERS, hasZero: true }), editor: 'text' }),
  moving_time: optional({
    ...numberKind({ max: MAX_SECONDS, hasZero: true, isWhole: true }),
    editor: 'text',
  }),
}

/** Files may have the sign of any currency, because amounts are never converted, and Swiss ones `45.-`. */
const withoutCurrencies = (cell: string): string =>
  cell
    .trim()
    .replace(/\p{Sc}|[A-Z]{3}/u, (sign) => (sign.length < 3 || currencyCodes().includes(sign) ? ' ' : sign))
    .trim()
    .replace(/^([+-])\s+/, '$1')
    .replace(/(?<=\d)[.,][-–—]+$/, '')

/** Accepts `Wheel` for `Wheels`, and British tyres. */
const typeOf = (cell: string): string => TYPES.find((type) => singular(type) === singular(cell)) ?? cell

const singular = (text: string) => text.trim().toLowerCase().replace('tyre', 'tire').replace(/s$/, '')

const { type, cost } = FIELDS

/** The fields in CSV files: the log's columns, the end reason, the part's earlier usage in stored units, and what it is. */
export const CSV_FIELDS = {
  ...FIELDS,
  type: { ...type, fromCsv: (cell, formats) => type.parse(typeOf(cell), formats) },
  cost: { ...cost, fromCsv: (cell, formats) => cost.fromCsv!(withoutCurrencies(cell), formats) },
  ended_as: { ...optional(selectKind(END_REASONS)), label: 'Ended as', initial: null },
  earlier_distance: { ...EARLIER.distance, label: 'Earlier distance (m)', initial: null },
  earlier_moving_time: { ...EARLIER.moving_time, label: 'Earlier time (s)', initial: null },
  kind: { ...optional(selectKind(KIND_NAMES)), label: 'Kind', initial: null },
  position: { ...optional(selectKind(POSITIONS)), label: 'Position', initial: null },
} as Readonly<Record<CsvField, FieldDefinition<Value>>>

export type CsvField = Field | 'ended_as' | keyof Earlier | keyof KindAndPosition

export type CsvValues = Pick<Item, Field | 'ended_as'> & Earlier & KindAndPosition

/** Only a part's first item has the part's earlier usage. */
export type CsvItem = Item & Partial<Earlier>

export const CSV_FIELD_NAMES = Object.keys(CSV_FIELDS) as CsvField[]

export const KEY_HEADERS = { id: 'ID', bikeId: 'Bike ID', bike: 'Bike', part: 'Part' } as const

/** Returns the header of the costs. Files in dollars keep the header that they have always had. */
export const costHeader = (currency: string): string =>
  currency === DEFAULT_SETTINGS.currency ? FIELDS.cost.label : `${FIELDS.cost.label} (${currency})`

const COST_HEADER = new RegExp(`^(${FIELDS.cost.label}) \\([A-Z]{3}\\)$`, 'i')

/** Removes the currency from the header of costs. Amounts are never converted. */
export const withoutCurrency = (header: string): string => header.replace(COST_HEADER, '$1')

export async function readCsvItems(client: Client, signal: AbortSignal): Promise<CsvItem[]> {
  const items = await readAllItems(client, signal)
  const first = new Map<number, Item>()
  for (const item of items.toSorted((a, b) => compareTimes(a.dateStarted, b.dateStarted) || a.id - b.id))
    if (!first.has(item.part_id)) first.set(item.part_id, item)
  const earlier = await readEarlier(client, signal)
  for (const item of first.values()) {
    const { earlier_distance = null, earlier_moving_time = null } = earlier.get(item.part_id) ?? {}
    Object.assign(item, { earlier_distance, earlier_moving_time })
  }
  return items
}

/** The data API's default row limit. */
const PAGE_SIZE = 1000

async function readEarlier(client: Client, signal: AbortSignal): Promise<ReadonlyMap<number, Earlier>> {
  const parts = new Map<number, Earlier>()
  let page: (Earlier & { id: number })[]
  do {
    const known = client
      .from('parts')
      .select('id, earlier_distance, earlier_moving_time')
      .or('earlier_distance.not.is.null,earlier_moving_time.not.is.null')
    const query = known.order('id').limit(PAGE_SIZE).abortSignal(signal)
    page = unwrap(await query.gt('id', [...parts.keys()].at(-1) ?? 0))
    for (const part of page) parts.set(part.id, part)
  } while (page.length > 0)
  return parts
}
