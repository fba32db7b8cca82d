// The rides and parts that a sync changed.
import * as v from 'valibot'
import { MEASURE_KEYS } from '../measures.ts'
import { Count, Id, Meters, Seconds, WallClock } from './fields.ts'

/** Ride fields that a sync can change. Null: Ride with GPS doesn't have the value. */
const Facts = v.strictObject({
  name: v.nullable(v.string()),
  gear_id: v.nullable(Id),
  /** In the ride's time zone. */
  started_at: v.nullable(WallClock),
  time_zone: v.string(),
  ...v.entriesFromList(MEASURE_KEYS, v.nullable(v.number())),
  is_stationary: v.boolean(),
})

export const RideChange = v.strictObject({
  ride_id: Id,
  /** Null: the ride was added. */
  before: v.nullable(Facts),
  /** Null: the ride was removed. */
  after: v.nullable(Facts),
})

export const PartChange = v.strictObject({
  part_id: Id,
  /** The part's last item, which determines the bike, type and name. */
  item_id: Id,
  gear_id: Id,
  type: v.nullable(v.string()),
  name: v.string(),
  /** The number of rides that changed the part's usage. */
  rides: Count,
  /** After minus before. */
  distance: Meters,
  moving_time: Seconds,
  /** The ride that changed the part's usage most, and whether it counted for the part. */
  ride: RideChange,
  counted_before: v.boolean(),
  counted_after: v.boolean(),
})

export type Facts = v.InferOutput<typeof Facts>
export type RideChange = v.InferOutput<typeof RideChange>
export type PartChange = v.InferOutput<typeof PartChange>
