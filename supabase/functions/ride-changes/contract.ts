import * as v from 'valibot'
import {
  type Call,
  Count,
  Id,
  Instant,
  Meters,
  objectInput,
  Seconds,
  WallClock,
} from '../_shared/contracts/fields.ts'
import { MEASURE_KEYS } from '../_shared/measures.ts'

export const Input = v.optional(
  objectInput({
    /** By default, the last sync that changed rides. */
    sync_id: v.optional(v.pipe(Id, v.minValue(1))),
    /** The number of rides to skip. If it isn't 0, parts are omitted. */
    skip: v.optional(v.pipe(Count, v.maxValue(2 ** 31 - 1))),
  }),
  {},
)

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

const RideChange = v.strictObject({
  ride_id: Id,
  /** Null: the ride was added. */
  before: v.nullable(Facts),
  /** Null: the ride was removed. */
  after: v.nullable(Facts),
})

const PartChange = v.strictObject({
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

export const Answer = v.strictObject({
  /** Null if no sync matches. */
  sync: v.nullable(
    v.strictObject({
      id: Id,
      started_at: Instant,
      outcome: v.picklist(['running', 'ok', 'failed', 'interrupted']),
      added: Count,
      changed: Count,
      removed: Count,
    }),
  ),
  /** At most 50. */
  rides: v.array(RideChange),
  /** The 50 parts whose usage changed most. Empty if rides are skipped. */
  parts: v.array(PartChange),
  part_count: Count,
  /** The previous sync that changed rides. Null if there is none. */
  older: v.nullable(Id),
})

export type Facts = v.InferOutput<typeof Facts>
export type RideChange = v.InferOutput<typeof RideChange>
export type PartChange = v.InferOutput<typeof PartChange>
export type RideChanges = v.InferOutput<typeof Answer>
export type RideChangesCall = Call<'ride-changes', typeof Input, typeof Answer>
