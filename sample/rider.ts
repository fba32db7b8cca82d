import { type Day, daysFrom, stamp, utcDay } from './calendar.ts'
import { gearOn, ROAD } from './gear.ts'
import { oddityOn } from './oddities.ts'
import { HOME } from './places.ts'
import { RIDER, tripOf } from './trip.ts'
import type { Gear, Trip } from './types.ts'
import { outingsOn } from './week.ts'

export type { Gear, Trip } from './types.ts'

const FIRST_DAY: Day = '2020-11-07'

/**
 * The rides that are uploaded by `now`, newest first by `departed_at`. A ride never changes once it is there: a later
 * `now` only adds to the list.
 */
export function sampleTrips(now: Date): Trip[] {
  const until = stamp(now)
  // East of Greenwich tomorrow has begun.
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

export type SampleUser = ReturnType<typeof sampleUser>

/** The rider as `users/current.json` tells of them, still without an `auth_token`. */
export function sampleUser(now: Date, trips = sampleTrips(now)) {
  const gear: Gear[] = gearOn(utcDay(now))
  return {
    id: RIDER,
    first_name: 'Sample',
    last_name: null,
    name: 'Sample Rider',
    display_name: 'Sample Rider',
    created_at: '2020-11-06T17:58:02-08:00',
    updated_at: '2020-11-06T18:20:44-08:00',
    last_login_at: stamp(now),
    self_membership_id: 3_120_884,
    description: '',
    interests: '',
    email_visible: false,
    metric_units: false,
    hr_max: 186,
    hr_rest: null,
    weight: 74.8427,
    vo2max: null,
    lat: HOME.lat,
    lng: HOME.lng,
    locality: HOME.locality,
    administrative_area: HOME.administrative_area,
    postal_code: null,
    country_code: HOME.country_code,
    visibility: 0,
    time_zone: HOME.zone,
    account_level: 1,
    weeks_start_on: 1,
    trips_included_in_totals_count: trips.length,
    deactivated_at: null,
    locale: 'en',
    age: null,
    privileges: [] as string[],
    highlighted_photo_id: 0,
    preferences: { metric_units: false, default_gear_id: String(ROAD) },
    gear,
    club_ids: [] as number[],
    slim_favorites: [] as never[],
    has_events: false,
    needs_password_reset: false,
  }
}
