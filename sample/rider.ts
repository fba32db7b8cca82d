import { type Day, daysFrom, stamp, utcDay } from './calendar.ts'
import { gearOn } from './gear.ts'
import { oddityOn } from './oddities.ts'
import { HOME } from './places.ts'
import { type Trip, tripOf } from './trip.ts'
import { outingsOn } from './week.ts'

export type { Trip } from './trip.ts'

const RIDER = 1_204_417
const FIRST_DAY: Day = '2020-11-07'

/**
 * The rides uploaded by `now`, newest first by `departed_at`. A ride never changes once uploaded: a later `now` only
 * adds to the list.
 */
export function sampleTrips(now: Date): Trip[] {
  const until = stamp(now)
  // East of Greenwich it may already be tomorrow.
  const lastDay = utcDay(new Date(now.getTime() + 86_400_000))
  const trips: Trip[] = []
  for (const day of daysFrom(FIRST_DAY, lastDay)) {
    const oddity = oddityOn(day)
    trips.push(...(oddity ? [oddity] : outingsOn(day)).map(tripOf))
  }
  return trips
    .filter((trip) => trip.updated_at <= until)
    .toSorted((a, b) => (a.departed_at < b.departed_at ? 1 : -1))
}

/** The rider as in `users/current.json`, without an `auth_token`. */
export const sampleUser = (now: Date) => ({
  id: RIDER,
  name: 'Sample Rider',
  time_zone: HOME.zone,
  gear: gearOn(utcDay(now)),
})
