import fc from 'fast-check'
import type { Tables } from '../../supabase/database.types.ts'

export type UsageRide = Pick<
  Tables<'rides'>,
  'id' | 'gear_id' | 'departed_at' | 'created_at' | 'time_zone' | 'distance' | 'duration' | 'moving_time'
>
export type UsageItem = Pick<Tables<'maintenance'>, 'id' | 'bikeId' | 'dateStarted' | 'dateEnded'>

interface RideChoices {
  bikes: (number | null)[]
  instants: fc.Arbitrary<string>
  zones: string[]
}

/** Generates rides of these bikes. Every value may be missing. */
export function anyRides({ bikes, instants, zones }: RideChoices): fc.Arbitrary<UsageRide[]> {
  const seconds = fc.option(fc.integer({ min: 0, max: 90_000 }))
  const ride = fc.record({
    gear_id: fc.constantFrom(...bikes),
    departed_at: fc.option(fc.oneof({ weight: 9, arbitrary: instants }, { weight: 1, arbitrary: FUTURE })),
    created_at: fc.option(instants, { freq: 9 }),
    time_zone: fc.constantFrom(...zones),
    distance: fc.option(fc.integer({ min: 0, max: 200_000_000 }).map((millimeters) => millimeters / 1000)),
    duration: seconds,
    moving_time: seconds,
  })
  return fc
    .array(ride, { maxLength: 40 })
    .map((list) => list.map((one, index) => ({ ...one, id: index + 1 })))
}
const FUTURE = fc.constant('2199-01-01T00:00:00.000Z')

/** Converts the distance to millimeters, so sums are exact. */
export const inMillimeters = <T extends { distance: number }>(usage: T): T => ({
  ...usage,
  distance: Math.round(usage.distance * 1000),
})

export interface Usage {
  rides: number
  /** In millimeters, so sums are exact. */
  distance: number
  moving_time: number
  first_ride: string | null
  last_ride: string | null
}

/** Compares every ride with the item. Local times are compared as text. */
export function plainUsage(item: UsageItem, rides: UsageRide[], now: number): Usage {
  const usage: Usage = { rides: 0, distance: 0, moving_time: 0, first_ride: null, last_ride: null }
  for (const ride of rides) {
    const instant = ride.departed_at ?? ride.created_at
    if (ride.gear_id !== item.bikeId || instant === null || Date.parse(instant) > now) continue
    const start = wallClock(instant, ride.time_zone)
    if (start < item.dateStarted || (item.dateEnded !== null && start >= item.dateEnded)) continue
    usage.rides += 1
    usage.distance += Math.round((ride.distance ?? 0) * 1000)
    usage.moving_time += ride.moving_time ?? ride.duration ?? 0
    if (usage.first_ride === null || start < usage.first_ride) usage.first_ride = start
    if (usage.last_ride === null || start > usage.last_ride) usage.last_ride = start
  }
  return usage
}

export type Earlier = Pick<Tables<'parts'>, 'earlier_distance' | 'earlier_moving_time'>

export const NO_EARLIER: Earlier = { earlier_distance: null, earlier_moving_time: null }

/** Usage from before the log. Both values are often unknown, and sometimes only one is known. */
export const earlierUsage: fc.Arbitrary<Earlier> = fc.record({
  earlier_distance: fc.option(fc.constantFrom(0, 700.125, 1_930_800), { freq: 2 }),
  earlier_moving_time: fc.option(fc.constantFrom(0, 90, 288_000), { freq: 2 }),
})

export function plainLifetime(items: UsageItem[], rides: UsageRide[], now: number, earlier?: Earlier) {
  const lifetime = {
    rides: 0,
    distance: Math.round((earlier?.earlier_distance ?? 0) * 1000),
    moving_time: earlier?.earlier_moving_time ?? 0,
  }
  for (const item of items) {
    const usage = plainUsage(item, rides, now)
    lifetime.rides += usage.rides
    lifetime.distance += usage.distance
    lifetime.moving_time += usage.moving_time
  }
  return lifetime
}

/** Formats local time as `2024-05-01T08:30:00`. */
export function wallClock(instant: string, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return clock.format(new Date(instant)).replace(' ', 'T')
}
