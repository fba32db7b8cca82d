import type { TablesInsert } from '../../../database.types.ts'
import { type Trip, UNREADABLE } from './schemas.ts'
import type { ResolveTimeZone } from './time-zone.ts'

/** A row of `rides`, as `store_rides` takes it. */
export type Ride = TablesInsert<'rides'> & { time_zone: string }

/** A trip as the tracker keeps it: its zone, else `homeZone`, else UTC. */
export function toRide(trip: Trip, resolveTimeZone: ResolveTimeZone, homeZone: string | null): Ride {
  const { is_gps, first_lat, ...kept } = trip
  const is_stationary = trip.is_stationary ?? false
  return {
    ...kept,
    duration: trip.duration === UNREADABLE ? null : trip.duration,
    created_at: trip.created_at === UNREADABLE ? null : trip.created_at,
    time_zone: resolveTimeZone(trip.time_zone) ?? homeZone ?? 'UTC',
    highlighted_photo_id: trip.highlighted_photo_id || null,
    is_stationary,
    // Some trips on a trainer claim GPS, and some entered by hand have a first point: only all three make a track.
    has_map: is_gps === true && first_lat !== null && !is_stationary,
  }
}
