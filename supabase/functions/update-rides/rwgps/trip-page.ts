import * as v from 'valibot'
import type { Answer } from './get.ts'
import { failed, ok, type Result } from './result.ts'
import { type Ride, toRide } from './ride.ts'
import { Identified, Trip, TripList } from './schemas.ts'
import type { ResolveTimeZone } from './time-zone.ts'

/** A page of the trip list. */
export interface TripPage {
  /** How many rows came, readable or not. */
  rows: number
  /** How many trips the complete list has; null for a bare list, which has no count. */
  total: number | 'unreadable' | null
  rides: Ride[]
  skipped: SkippedRow[]
}

/** A row whose id, time or distance cannot be read. */
export interface SkippedRow {
  /** Null: the id itself cannot be read. */
  id: number | null
  /** The row's place in the complete list, from 1. */
  position: number
  /** What cannot be read. */
  field: string
}

const NO_ROWS: TripPage = { rows: 0, total: null, rides: [], skipped: [] }

/** Reads the answer for the rows from `offset` on. An unreadable row is skipped; the others are good. */
export function readTripPage(
  answer: Answer,
  offset: number,
  resolveTimeZone: ResolveTimeZone,
  homeZone: string | null,
): Result<TripPage> {
  if (!answer.found) return offset > 0 ? ok(NO_ROWS) : failed('rwgps_bad_answer')
  const list = v.safeParse(TripList, answer.body)
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
