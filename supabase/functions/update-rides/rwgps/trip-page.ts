import * as v from 'valibot'
import type { TablesInsert } from '../../../database.types.ts'
import { MEASURE_KEYS } from '../../_shared/measures.ts'
import type { RwgpsResponse } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { Trip, TripList, UNREADABLE } from './schemas.ts'
import type { ResolveTimeZone } from './time-zone.ts'

type RideRow = TablesInsert<'rides'>
/** Values that the trip lacks are undefined, so they are left out of JSON. */
export type Ride = { [Column in keyof RideRow]: RideRow[Column] | undefined } & { id: number }

export interface TripPage {
  rows: Row[]
  /** The server's count of all trips. Null for a plain array, which has no count. */
  total: number | 'unreadable' | null
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

/** Fields in which null isn't a valid value. In other fields, null means no bike, no name or no sensor. */
const REQUIRED = ['id', 'distance', 'moving_time', 'duration', 'departed_at', 'created_at'] as const

/** Fields that rides normally have. */
export const FIELDS = [
  ...new Set([...REQUIRED, 'gear_id', 'name', ...MEASURE_KEYS, 'highlighted_photo_id'] as const),
]
export type Field = (typeof FIELDS)[number]
const REQUIRED_FIELDS: ReadonlySet<Field> = new Set(REQUIRED)

/** Parses a page that starts at `offset`. Fails with `rwgps_bad_answer` if it isn't a list. */
export function readTripPage(
  response: RwgpsResponse,
  offset: number,
  resolveTimeZone: ResolveTimeZone,
): Result<TripPage> {
  if (!response.found) return offset > 0 ? ok({ rows: [], total: null }) : failed('rwgps_bad_answer')
  const list = v.safeParse(TripList, response.body)
  if (!list.success) return failed('rwgps_bad_answer')

  const { results, results_count: total } = list.output
  return ok({ rows: results.map((row, index) => readRow(row, offset + index + 1, resolveTimeZone)), total })
}

function readRow(row: unknown, position: number, resolveTimeZone: ResolveTimeZone): Row {
  const parsed = v.safeParse(Trip, row)
  if (!parsed.success) return { id: null, position, lacks: FIELDS, ride: null, unreadable: 'row' }
  const trip = parsed.output
  const id = valueOf(trip.id)
  const unreadable = id === undefined ? 'id' : unusableField(trip)
  const ride = id === undefined || unreadable ? null : toRide(id, trip, resolveTimeZone)
  return {
    id: id ?? null,
    position,
    lacks: FIELDS.filter((field) => isLacking(trip, field)),
    ride,
    unreadable,
  }
}

function isLacking(trip: Trip, field: Field): boolean {
  const value = trip[field]
  return value === null ? REQUIRED_FIELDS.has(field) : value === undefined || value === UNREADABLE
}

function valueOf<T>(value: T | typeof UNREADABLE | null | undefined): T | undefined {
  return value === UNREADABLE || value === null ? undefined : value
}

/** Finds an unreadable field that usage depends on: distance, time or date. */
function unusableField(trip: Trip): Field | null {
  const needed = ['distance', 'moving_time', 'departed_at'] as const
  const unreadable = needed.find((field) => trip[field] === UNREADABLE)
  if (unreadable) return unreadable
  // Usage falls back to these fields.
  if (valueOf(trip.moving_time) === undefined && trip.duration === UNREADABLE) return 'duration'
  if (valueOf(trip.departed_at) === undefined && trip.created_at === UNREADABLE) return 'created_at'
  return null
}

function toRide(id: number, trip: Trip, resolveTimeZone: ResolveTimeZone): Ride {
  const is_stationary = valueOf(trip.is_stationary) ?? false
  const ride: Ride = {
    id,
    name: valueOf(trip.name),
    gear_id: valueOf(trip.gear_id),
    created_at: valueOf(trip.created_at),
    departed_at: valueOf(trip.departed_at),
    updated_at: valueOf(trip.updated_at),
    time_zone: resolveTimeZone(valueOf(trip.time_zone)),
    highlighted_photo_id: valueOf(trip.highlighted_photo_id) || undefined,
    is_stationary,
    // Some trainer rides have is_gps, and some manual entries have a first point, so check all three.
    has_map: trip.is_gps === true && valueOf(trip.first_lat) !== undefined && !is_stationary,
  }
  for (const key of MEASURE_KEYS) ride[key] = valueOf(trip[key])
  return ride
}
