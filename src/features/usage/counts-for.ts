import type { Tables } from '../../../supabase/database.types.ts'

type Dates = Pick<Tables<'maintenance'>, 'dateStarted' | 'dateEnded'>
type Times = Pick<Tables<'rides'>, 'started_at' | 'departed_at' | 'created_at'>

/**
 * Whether a ride counts for an item of its bike, by the same rule as public.maintenance_use (docs/decisions/usage.md).
 * Local times are compared as text; only the ride's instant is compared with now.
 */
export function countsFor(ride: Times, item: Dates, now: number): boolean {
  const instant = ride.departed_at ?? ride.created_at
  if (ride.started_at === null || instant === null || Date.parse(instant) > now) return false
  return item.dateStarted <= ride.started_at && (item.dateEnded === null || ride.started_at < item.dateEnded)
}
