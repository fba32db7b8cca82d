import * as v from 'valibot'
import type { TablesInsert } from '../../../database.types.ts'
import type { RwgpsResponse } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { Identified, Trip, TripList, UNREADABLE } from './schemas.ts'
import type { ResolveTimeZone } from './time-zone.ts'

/** A row of `rides` for `store_rides`. */
export type Ride = TablesInsert<'rides'> & { time_zone: string }

/** A page of the trip list. */
export interface TripPage {
  /** The number of rows, including skipped ones. */
  rows: number
  /** The server's count of all trips; null for a plain array, which has no count. */
  total: number | 'unreadable' | null
  rides: Ride[]
  skipped: SkippedRow[]
}

/** A row whose id, time or distance is unreadable. */
export interface SkippedRow {
  /** Null if the id itself is unreadable. */
  id: number | null
  /** The row's position in the complete list, starting at 1. */
  position: number
  /** The unreadable field. */
  field: string
}

const NO_ROWS: TripPage = { rows: 0, total: null, rides: [], skipped: [] }

/** Parses the response for the rows from `offset` on. Skips unreadable rows. */
export function readTripPage(
  response: RwgpsResponse,
  offset: number,
  resolveTimeZone: ResolveTimeZone,
  homeZone: string | null,
): Result<TripPage> {
  if (!response.found) return offset > 0 ? ok(NO_ROWS) : failed('rwgps_bad_answer')
  const list = v.safeParse(TripList, response.body)
  if (!list.success) return failed('rwgps_bad_answer')

  const { results, results_count: total } = list.output
  const page: TripPage = { rows: results.length, total, rides: [], skipped: [] }
  for (const [index, row] of results.entries()) {
    const trip = v.safeParse(Trip, row, { abortEarly: true })
    if (trip.success) {
      page.rides.push(toRide(trip.output, resolveTimeZone, homeZone))
      continue
    }
    page.skipped.push({
      id: v.is(Identified, row) ? row.id : null,
      position: offset + index + 1,
      field: v.getDotPath(trip.issues[0]) ?? 'row',
    })
  }
  return ok(page)
}

// The zone is the trip's own, else `homeZone`, else UTC.
function toRide(trip: Trip, resolveTimeZone: ResolveTimeZone, homeZone: string | null): Ride {
  const { is_gps, first_lat, ...columns } = trip
  const is_stationary = trip.is_stationary ?? false
  return {
    ...columns,
    duration: trip.duration === UNREADABLE ? null : trip.duration,
    created_at: trip.created_at === UNREADABLE ? null : trip.created_at,
    time_zone: resolveTimeZone(trip.time_zone) ?? homeZone ?? 'UTC',
    highlighted_photo_id: trip.highlighted_photo_id || null,
    is_stationary,
    // Some trainer rides have is_gps, and some manual entries have a first point, so check all three.
    has_map: is_gps === true && first_lat !== null && !is_stationary,
  }
}
