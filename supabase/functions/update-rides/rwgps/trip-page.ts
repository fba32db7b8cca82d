import * as v from 'valibot'
import type { TablesInsert } from '../../../database.types.ts'
import { MEASURE_KEYS, type MeasureKey } from '../../_shared/measures.ts'
import type { RwgpsResponse } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { Id, Trip, TripList, UNREADABLE } from './schemas.ts'
import type { ResolveTimeZone } from './time-zone.ts'

export type Ride = TablesInsert<'rides'> & { time_zone: string }

export interface TripPage {
  /** The rows' ids. Null: unreadable. */
  ids: (number | null)[]
  /** The server's count of all trips. Null for a plain array, which has no count. */
  total: number | 'unreadable' | null
  /** Parses all fields. Takes longer than reading the ids, so request the next page first. */
  rows(): Row[]
}

export interface Row {
  /** Null: unreadable. */
  id: number | null
  /** The position in the complete list, starting at 1. */
  position: number
  /** Fields that are missing or unreadable. */
  lacks: readonly Field[]
  /** Null: the row is skipped. */
  ride: Ride | null
  /** The field that caused the row to be skipped. Null: not skipped. */
  unreadable: string | null
}

/** Fields that rides normally have. */
const REQUIRED = ['id', 'distance', 'moving_time', 'duration', 'departed_at', 'created_at'] as const
type Required = (typeof REQUIRED)[number]
/** Fields in which null is a valid value: no bike, no name or no sensor. */
const OPTIONAL = [
  'gear_id',
  'name',
  ...MEASURE_KEYS.filter((key): key is Exclude<MeasureKey, Required> => !REQUIRED.includes(key as Required)),
  'highlighted_photo_id',
] as const

export const FIELDS = [...REQUIRED, ...OPTIONAL]
export type Field = (typeof FIELDS)[number]

/** Parses a page that starts at `offset`. Fails with `rwgps_bad_answer` if it isn't a list. */
export function readTripPage(
  response: RwgpsResponse,
  offset: number,
  resolveTimeZone: ResolveTimeZone,
  homeZone: string | null,
): Result<TripPage> {
  if (!response.found)
    return offset > 0 ? ok({ ids: [], total: null, rows: () => [] }) : failed('rwgps_bad_answer')
  const list = v.safeParse(TripList, response.body)
  if (!list.success) return failed('rwgps_bad_answer')

  const { results, results_count: total } = list.output
  return ok({
    ids: results.map(idOf),
    total,
    rows: () => results.map((row, index) => readRow(row, offset + index + 1, resolveTimeZone, homeZone)),
  })
}

function idOf(row: unknown): number | null {
  const { id } = Object(row) as { id?: unknown }
  return v.is(Id, id) ? id : null
}

function readRow(
  row: unknown,
  position: number,
  resolveTimeZone: ResolveTimeZone,
  homeZone: string | null,
): Row {
  const parsed = v.safeParse(Trip, row)
  if (!parsed.success) return { id: null, position, lacks: FIELDS, ride: null, unreadable: 'row' }
  const trip = parsed.output
  const id = valueOf(trip.id)
  const unreadable = id === null ? 'id' : unusableField(trip)
  const ride = id === null || unreadable ? null : toRide(id, trip, resolveTimeZone, homeZone)
  return { id, position, lacks: fieldsLackedBy(trip), ride, unreadable }
}

function fieldsLackedBy(trip: Trip): Field[] {
  const isEmpty = (field: Field) => valueOf(trip[field]) === null
  const isMissing = (field: Field) => trip[field] === undefined || trip[field] === UNREADABLE
  return [...REQUIRED.filter(isEmpty), ...OPTIONAL.filter(isMissing)]
}

function valueOf<T>(value: T | typeof UNREADABLE | undefined): T | null {
  return value === undefined || value === UNREADABLE ? null : value
}

/** Finds an unreadable field that usage depends on: distance, time or date. */
function unusableField(trip: Trip): Field | null {
  const needed = ['distance', 'moving_time', 'departed_at'] as const
  const unreadable = needed.find((field) => trip[field] === UNREADABLE)
  if (unreadable) return unreadable
  // Usage falls back to these fields.
  if (valueOf(trip.moving_time) === null && trip.duration === UNREADABLE) return 'duration'
  if (valueOf(trip.departed_at) === null && trip.created_at === UNREADABLE) return 'created_at'
  return null
}

function measuresOf(trip: Trip): Record<MeasureKey, number | null> {
  const values = MEASURE_KEYS.map((key) => [key, valueOf(trip[key])])
  return Object.fromEntries(values) as Record<MeasureKey, number | null>
}

function toRide(id: number, trip: Trip, resolveTimeZone: ResolveTimeZone, homeZone: string | null): Ride {
  const is_stationary = valueOf(trip.is_stationary) ?? false
  return {
    id,
    name: valueOf(trip.name),
    gear_id: valueOf(trip.gear_id),
    created_at: valueOf(trip.created_at),
    departed_at: valueOf(trip.departed_at),
    updated_at: valueOf(trip.updated_at),
    time_zone: resolveTimeZone(valueOf(trip.time_zone)) ?? homeZone ?? 'UTC',
    ...measuresOf(trip),
    highlighted_photo_id: valueOf(trip.highlighted_photo_id) || null,
    is_stationary,
    // Some trainer rides have is_gps, and some manual entries have a first point, so check all three.
    has_map: trip.is_gps === true && valueOf(trip.first_lat) !== null && !is_stationary,
  }
}
