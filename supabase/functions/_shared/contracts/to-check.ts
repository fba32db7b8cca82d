import * as v from 'valibot'
import { Count, Day, Id, Meters, Seconds, WallClock } from './fields.ts'

const line = {
  /** Identifies the line and its facts. A dismissal is stored under this key. */
  key: v.string(),
  /** Long names are shortened. */
  rides: v.array(v.strictObject({ id: Id, name: v.nullable(v.string()), started_at: v.nullable(WallClock) })),
  items: v.array(v.strictObject({ id: Id, name: v.string() })),
}

const Line = v.variant('kind', [
  v.strictObject({
    ...line,
    kind: v.literal('no_bike'),
    ride_count: Count,
    distance: Meters,
    /** Rides whose gear isn’t one of the bikes. */
    of_unlisted_gear: Count,
  }),
  v.strictObject({ ...line, kind: v.literal('gone_bike'), gear_id: Id, ride_count: Count, distance: Meters }),
  /** Rides after the bike was sold. `rides` has the latest 20. */
  v.strictObject({
    ...line,
    kind: v.literal('sold_bike'),
    gear_id: Id,
    ride_count: Count,
    distance: Meters,
    sold_on: Day,
  }),
  v.strictObject({
    ...line,
    kind: v.literal('wrong_bike'),
    gear_id: Id,
    /** The bike of the indoor rides before and after. */
    likely: Id,
    ride_count: Count,
  }),
  v.strictObject({
    ...line,
    kind: v.literal('same_ride'),
    gear_id: v.nullable(Id),
    /** The time that both rides share. */
    overlap: Seconds,
    /** The duration of the shorter ride. */
    shorter: Seconds,
    /** How much later the other ride started. Null: they are at the same time. */
    apart: v.nullable(Seconds),
    /** The distance that may be counted twice. */
    distance: v.nullable(Meters),
  }),
  v.strictObject({
    ...line,
    kind: v.literal('date'),
    /** Null: no bike. */
    gear_id: v.nullable(Id),
    /** When the trip was uploaded. Null: unknown. */
    uploaded: v.nullable(Day),
    is_ahead: v.boolean(),
  }),
  v.strictObject({
    ...line,
    kind: v.picklist(['moving_time', 'max_speed', 'average_speed', 'distance', 'time', 'no_distance']),
    /** Null: no bike. */
    gear_id: v.nullable(Id),
    /** The suspicious value: km/h for a speed, else meters or seconds. */
    value: v.number(),
    /** Null: not recorded. */
    distance: v.nullable(Meters),
    duration: v.nullable(Seconds),
    moving_time: v.nullable(Seconds),
  }),
  v.strictObject({ ...line, kind: v.literal('skipped'), ride_id: Id, field: v.string() }),
  v.strictObject({ ...line, kind: v.literal('skipped_others'), ride_count: Count }),
  v.strictObject({
    ...line,
    kind: v.picklist(['no_part', 'two_parts']),
    gear_id: Id,
    /** The kind of part: chain, cassette, tire… */
    family: v.string(),
    /** Null for parts without a front and a rear. */
    positions: v.nullable(v.array(v.picklist(['front', 'rear']))),
    since: Day,
    /** Null: until today. */
    until: v.nullable(Day),
    days: Count,
    ride_count: Count,
    distance: Meters,
  }),
  v.strictObject({ ...line, kind: v.picklist(['parts_in_use', 'gone_log']), gear_id: Id, item_count: Count }),
  /** Parts whose kind is unknown: the latest 100, with their latest items. */
  v.strictObject({ ...line, kind: v.literal('no_kind'), part_count: Count, part_ids: v.array(Id) }),
  v.strictObject({
    ...line,
    kind: v.literal('late_end'),
    gear_id: Id,
    item_count: Count,
    until: Day,
    last_ride: Day,
    days: Count,
  }),
])

export const ToCheck = v.strictObject({
  /** At most 100 lines of a kind, without dismissed lines. */
  lines: v.array(Line),
  /** The number of lines beyond 100 of a kind. */
  left_out: Count,
})

export type Line = v.InferOutput<typeof Line>
export type ToCheck = v.InferOutput<typeof ToCheck>
