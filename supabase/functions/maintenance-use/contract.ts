import { POSITIONS } from '../_shared/kinds.ts'
import { READINGS } from '../_shared/limits.ts'
import * as v from 'valibot'
import {
  type Call,
  Count,
  Day,
  earlier,
  Id,
  LogDay,
  Meters,
  Money,
  Month,
  objectInput,
  rideSums,
  WallClock,
} from '../_shared/contracts/fields.ts'
import { byPosition, Group, Kind } from '../_shared/contracts/lifetimes.ts'

export const Input = objectInput({
  gear_id: Id,
  /** Returns usage as of the end of this day, only for items on the bike at the time. */
  day: v.optional(LogDay),
  timeline: v.optional(v.boolean()),
  /** Adds this part's details. */
  part: v.optional(Id),
})

/** The result of the SQL function `maintenance_use`. */
export const Usage = v.strictObject({
  gear_id: Id,
  /** Without rides that To check doubts. Null: no rides. */
  first_ride: v.nullable(Day),
  total: v.strictObject(rideSums),
  items: v.array(
    v.strictObject({
      id: Id,
      ...rideSums,
      /** From its start to its end, or until today. */
      days: Count,
      /** When the ride started. Null without rides. */
      first_ride: v.nullable(WallClock),
      last_ride: v.nullable(WallClock),
    }),
  ),
  /** The parts of these items. Sums and cost cover all of a part's items, on every bike. */
  parts: v.array(
    v.strictObject({
      part_id: Id,
      item_ids: v.array(Id),
      ...rideSums,
      ...earlier,
      cost: Money,
      kind: Kind,
      by_position: byPosition(rideSums),
    }),
  ),
})

/** The result of the SQL function `bike_timeline`. */
export const Timeline = v.strictObject({
  /** Only months with rides. */
  months: v.array(v.strictObject({ month: Month, ...rideSums })),
  /** Service events of the bike and its parts. */
  services: v.array(
    v.strictObject({
      id: Id,
      name: v.string(),
      day: Day,
      /** The part's item. Null for a bike's task. */
      item_id: v.nullable(Id),
      /** The item with the cost. Null: free. */
      paid_item_id: v.nullable(Id),
    }),
  ),
})

/** The result of the SQL function `part_history`. */
export const PartHistory = v.strictObject({
  part_id: Id,
  /** Over all bikes. */
  lifetime: v.strictObject({
    ...rideSums,
    ...earlier,
    /** Includes the part's paid services. */
    cost: Money,
    /** The sum of its install periods. */
    days: Count,
  }),
  /** Install periods, oldest first. */
  periods: v.array(
    v.strictObject({
      /** The item's id. */
      id: Id,
      gear_id: Id,
      name: v.string(),
      cost: Money,
      dateStarted: WallClock,
      /** Null: in use. */
      dateEnded: v.nullable(WallClock),
      ended_as: v.nullable(v.string()),
      /** Null: unknown, or the part's kind has no ends. */
      position: v.nullable(v.picklist(POSITIONS)),
      ...rideSums,
    }),
  ),
  /** The parts that moved to this bike with this part. */
  moved_together: v.array(Id),
})

const Measurement = v.strictObject({
  id: Id,
  measured_on: Day,
  /** The exact value; with a reading, the gauge's mark. Null: the mark is the limit. */
  value: v.nullable(v.number()),
  /** The result of a go/no-go gauge, relative to its mark. Null: the value is exact. */
  reading: v.nullable(v.picklist(READINGS)),
  /** `chain %`, `pad mm`, or the owner's own unit. */
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none. */
  limit: v.nullable(v.number()),
  note: v.nullable(v.string()),
  /** The part's distance at the end of that day. */
  distance: Meters,
})

/** Measurements in one unit with one tool. Tools disagree, so they aren't mixed. */
const series = {
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none, and the unit has no usual limit. */
  limit: v.nullable(v.number()),
  /** The part's distance at its last reading before the limit. Null: unknown. */
  not_before: v.nullable(Meters),
  /** The day of the first of the latest readings that all show that the limit is reached. Null: the last one doesn't. */
  reached_on: v.nullable(Day),
  /**
   * The part's distance at the limit: between two gauge readings, or a 90 % range for a line through exact values. Null:
   * unknown.
   */
  estimate: v.nullable(v.strictObject({ kind: v.picklist(['line', 'bracket']), from: Meters, to: Meters })),
}

const WearSeries = v.strictObject({
  ...series,
  /** Oldest first. */
  measurements: v.array(Measurement),
  /** When the part likely reaches the start of the estimate. Null: unknown, over a year away, or already reached. */
  likely: v.nullable(Day),
})

const wear = {
  /** The part's distance until now, including the earlier distance. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** The minimum distance between exact values for an estimate. */
  least_distance: Meters,
}

/** The result of the SQL function `part_wear`. */
export const PartWear = v.strictObject({
  /** The part's current or last bike. */
  gear_id: Id,
  is_installed: v.boolean(),
  ...wear,
  /** Oldest first. */
  measurements: v.array(Measurement),
  /** `measurements` are ids. */
  series: v.array(v.strictObject({ ...series, measurements: v.array(Id) })),
})

const Wear = v.strictObject({ ...wear, series: v.array(WearSeries) })

const PartDetails = v.strictObject({
  ...PartHistory.entries,
  wear: Wear,
  /** The parts of the same type and name. Null for work. */
  group: v.nullable(Group),
})

export const Answer = v.strictObject({
  ...Usage.entries,
  ...v.partial(Timeline).entries,
  /** Null: no part has this id. */
  part: v.optional(v.nullable(PartDetails)),
})

export type Usage = v.InferOutput<typeof Usage>
export type Timeline = v.InferOutput<typeof Timeline>
export type PartHistory = v.InferOutput<typeof PartHistory>
export type Measurement = v.InferOutput<typeof Measurement>
export type PartWear = v.InferOutput<typeof PartWear>
export type WearSeries = v.InferOutput<typeof WearSeries>
export type Wear = v.InferOutput<typeof Wear>
export type PartDetails = v.InferOutput<typeof PartDetails>
export type UsageCall = Call<'maintenance-use', typeof Input, typeof Answer>
