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
  /** How many trips the whole list has, where the server says so. */
  total: number | null
  rides: Ride[]
  /** The ids of rows that cannot be read otherwise. */
  unreadable: number[]
  /** How many rows have not even an id. */
  nameless: number
  /** Which fields could not be read, each once. */
  faultyFields: string[]
}

const NO_ROWS: TripPage = { rows: 0, total: null, rides: [], unreadable: [], nameless: 0, faultyFields: [] }

/** Reads the answer for the rows from `offset` on. A row that cannot be read is set aside; the others are good. */
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
  const page: TripPage = { ...NO_ROWS, rows: results.length, total, rides: [], unreadable: [] }
  const faulty = new Set<string>()
  for (const row of results) {
    const trip = v.safeParse(Trip, row, { abortEarly: true })
    if (trip.success) {
      page.rides.push(toRide(trip.output, resolveTimeZone, homeZone))
      continue
    }
    faulty.add(v.getDotPath(trip.issues[0]) ?? 'row')
    if (v.is(Identified, row)) page.unreadable.push(row.id)
    else page.nameless += 1
  }
  return ok({ ...page, faultyFields: [...faulty] })
}
