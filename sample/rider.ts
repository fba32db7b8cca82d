import { type Day, daysFrom, stamp, utcDay } from './calendar.ts'
import { COMMUTER, gearOn, GRAVEL, ROAD, TRAIL } from './gear.ts'
import type { Outing } from './outing.ts'
import { HOME, TRAILHEAD } from './places.ts'
import { type Trip, tripOf } from './trip.ts'
import { outingsOn } from './week.ts'

export type { Trip } from './trip.ts'

/** The sample's Ride with GPS user id. */
export const RIDER = 1_204_417
const FIRST_DAY: Day = '2020-11-07'

/** Returns the rides uploaded by `now`, newest first by `departed_at`. A later `now` only adds rides. */
export function sampleTrips(now: Date): Trip[] {
  const until = stamp(now)
  // East of Greenwich, it may already be tomorrow.
  const lastDay = utcDay(new Date(now.getTime() + 86_400_000))
  const trips: Trip[] = []
  for (const day of daysFrom(FIRST_DAY, lastDay)) {
    const unusual = unusualRideOn(day)
    trips.push(...(unusual ? [unusual] : outingsOn(day)).map(tripOf))
  }
  return trips
    .filter((trip) => trip.updated_at <= until)
    .toSorted((a, b) => (a.departed_at < b.departed_at ? 1 : -1))
}

/** Returns the rider as in `users/current.json`, without an `auth_token`. */
export const sampleUser = (now: Date) => ({
  id: RIDER,
  name: 'Sample Rider',
  time_zone: HOME.zone,
  gear: gearOn(utcDay(now)),
})

const NOON = 12 * 3600

const byHand = (day: Day, gearId: number | null, name: string, kilometers: number): Outing => ({
  day,
  startsAt: 9 * 3600,
  kind: 'road',
  gearId,
  place: HOME,
  name,
  kilometers,
  recorded: 'by hand',
})

// Rides found on an old phone, all uploaded in one evening.
const oldPhone = (day: Day, minute: number, name: string, kilometers: number): Outing => ({
  day,
  startsAt: NOON,
  kind: 'trail',
  gearId: TRAIL,
  place: TRAILHEAD,
  name,
  kilometers,
  uploadedAt: `2024-03-16T21:${minute}:07Z`,
})

const UNUSUAL_RIDES: Outing[] = [
  {
    day: '2020-11-07',
    startsAt: NOON,
    kind: 'road',
    gearId: ROAD,
    place: HOME,
    name: 'First ride on the new bike 🎉',
    kilometers: 41.3,
    recorded: 'early',
  },
  byHand('2021-02-27', ROAD, 'Forgot the computer', 48.2),
  byHand('2021-09-18', null, "Borrowed my brother's bike", 22.5),
  byHand('2022-12-10', COMMUTER, 'Battery died', 14.1),
  byHand('2024-07-27', ROAD, 'Seattle to Portland, day 2 (file lost)', 160.9),
  oldPhone('2021-07-04', 12, 'Independence Day laps', 21.7),
  oldPhone('2021-07-11', 14, 'Sandy Ridge', 24.9),
  oldPhone('2021-07-18', 15, 'Sandy Ridge again', 26.2),
  {
    day: '2022-05-21',
    startsAt: NOON,
    kind: 'gravel',
    gearId: GRAVEL,
    place: HOME,
    name: 'Where is <b>everybody</b>?',
    description: 'Group ride of one & a half',
    kilometers: 63.4,
  },
  {
    day: '2025-06-28',
    startsAt: 6 * 3600,
    kind: 'road',
    gearId: ROAD,
    place: HOME,
    name: 'Birthday 100 🎂',
    description: 'A mile for every… no, just a hundred.',
    kilometers: 163.2,
  },
]

const unusualRideOn = (day: Day): Outing | undefined => UNUSUAL_RIDES.find((outing) => outing.day === day)
