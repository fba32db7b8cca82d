import fc from 'fast-check'
import type { Tables } from '../../supabase/database.types.ts'

export type UsageRide = Pick<
  Tables<'rides'>,
  'id' | 'gear_id' | 'departed_at' | 'created_at' | 'time_zone' | 'distance' | 'duration' | 'moving_time'
>
export type UsageItem = Pick<Tables<'maintenance'>, 'id' | 'bikeId' | 'dateStarted' | 'dateEnded'>

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
