import type { Tables } from '../../../supabase/database.types.ts'

type Dates = Pick<Tables<'maintenance'>, 'dateStarted' | 'dateEnded'>
type Times = Pick<Tables<'rides'>, 'started_at' | 'departed_at' | 'created_at'>

/** Returns whether a ride isn't in the future. Applies the same rule as private.counted_rides. */
export function counts(ride: Pick<Times, 'departed_at' | 'created_at'>, now: number): boolean {
  const instant = ride.departed_at ?? ride.created_at
  return instant === null || Date.parse(instant) <= now
}

/** Returns whether a ride counts toward an item, like private.sum_rides (docs/decisions/parts.md). */
export function countsFor(ride: Times, item: Dates, now: number): boolean {
  if (ride.started_at === null || !counts(ride, now)) return false
  return item.dateStarted <= ride.started_at && (item.dateEnded === null || ride.started_at < item.dateEnded)
}
