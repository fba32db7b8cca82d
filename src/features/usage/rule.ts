import type { Tables } from '../../../supabase/database.types.ts'

type Dates = Pick<Tables<'maintenance'>, 'dateStarted' | 'dateEnded'>
type Times = Pick<Tables<'rides'>, 'started_at' | 'departed_at' | 'created_at'>

/**
 * Whether a ride counts for a part of its bike: the rule of docs/decisions/usage.md, as public.maintenance_use counts.
 * Wall clocks are compared with wall clocks, as text; only the ride's instant is compared with now.
 */
export function countsFor(ride: Times, part: Dates, now: number): boolean {
  const instant = ride.departed_at ?? ride.created_at
  if (ride.started_at === null || instant === null || Date.parse(instant) > now) return false
  return part.dateStarted <= ride.started_at && (part.dateEnded === null || ride.started_at < part.dateEnded)
}
