import * as v from 'valibot'
import {
  type Call,
  Count,
  Day,
  Dollars,
  earlier,
  Id,
  LogDay,
  Meters,
  Month,
  objectInput,
  rideSums,
  WallClock,
} from '../_shared/contracts/fields.ts'
import { Group } from '../_shared/contracts/lifetimes.ts'

export const Input = objectInput({
  gear_id: Id,
  /** As it was at the end of this day, only with the items that were on the bike then. */
  day: v.optional(LogDay),
  timeline: v.optional(v.boolean()),
  /** The part whose details to add. */
  part: v.optional(Id),
})

/** What the SQL function `maintenance_use` returns. */
export const Usage = v.strictObject({
  gear_id: Id,
  total: v.strictObject(rideSums),
  items: v.array(
    v.strictObject({
      id: Id,
      ...rideSums,
      /** When its first and its last ride started. Null without rides. */
      first_ride: v.nullable(WallClock),
      last_ride: v.nullable(WallClock),
    }),
  ),
  /** The parts of these items, over all their items on any bike. */
  parts: v.array(
    v.strictObject({
      part_id: Id,
      item_ids: v.array(Id),
      ...rideSums,
      ...earlier,
      cost: Dollars,
      /** What kind of part it is, by its name and type: `chain`, `front tire`, `tires` (both)… Null: unknown. */
      kind: v.nullable(v.string()),
    }),
  ),
})

/** What the SQL function `bike_timeline` returns. */
export const Timeline = v.strictObject({
  /** The months with rides. */
  months: v.array(v.strictObject({ month: Month, ...rideSums })),
  /** When service tasks of the bike, or of parts on it, were done. */
  services: v.array(
    v.strictObject({
      id: Id,
      name: v.string(),
      day: Day,
      /** The item of the part. Null for a task of the bike. */
      item_id: v.nullable(Id),
      /** The item that has the cost. Null: free. */
      paid_item_id: v.nullable(Id),
    }),
  ),
})

/** What the SQL function `part_history` returns. */
export const PartHistory = v.strictObject({
  part_id: Id,
  /** Over all bikes. */
  lifetime: v.strictObject({
    ...rideSums,
    ...earlier,
    /** With the paid services of the part. */
    cost: Dollars,
    /** The sum of its install periods. */
    days: Count,
  }),
  /** Its install periods, the oldest first. */
  periods: v.array(
    v.strictObject({
      /** The item. */
      id: Id,
      gear_id: Id,
      name: v.string(),
      cost: Dollars,
      dateStarted: WallClock,
      /** Null: in use. */
      dateEnded: v.nullable(WallClock),
      ended_as: v.nullable(v.string()),
      ...rideSums,
    }),
  ),
  /** The parts that came to this bike with this one. */
  moved_together: v.array(Id),
})

const Measurement = v.strictObject({
  id: Id,
  measured_on: Day,
  /** The exact value; with a reading, the mark of the gauge. Null: the mark is the limit. */
  value: v.nullable(v.number()),
  /** What a gauge says that shows no values. Null: the value is exact. */
  reading: v.nullable(v.picklist(['under', 'at', 'over'])),
  /** `chain %`, `pad mm`, or the owner's own. */
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none. */
  limit: v.nullable(v.number()),
  note: v.nullable(v.string()),
  /** How far the part was ridden until the end of that day. */
  distance: Meters,
})

/** What the SQL function `part_wear` returns. */
export const PartWear = v.strictObject({
  /** The bike that the part is on or was last. */
  gear_id: Id,
  is_installed: v.boolean(),
  /** How far it was ridden until now, with the earlier distance. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** The oldest first. */
  measurements: v.array(Measurement),
})

/** The measurements in one unit with one tool. Tools disagree, so they are never mixed. */
const WearSeries = v.strictObject({
  unit: v.string(),
  tool: v.string(),
  /** Null: neither the owner nor the unit has one. */
  limit: v.nullable(v.number()),
  /** The limit wasn't reached yet at this distance of the part. Null: unknown. */
  not_before: v.nullable(Meters),
  /** Between which distances the limit is reached: two readings of a gauge, or where a line through exact values meets it nine times in ten. Null: unknown. */
  estimate: v.nullable(v.strictObject({ kind: v.picklist(['line', 'bracket']), from: Meters, to: Meters })),
  /** When the part has likely been ridden to the start of the estimate. Null: unknown, over a year away, or already there. */
  likely: v.nullable(Day),
  measurements: v.array(Measurement),
})

const Wear = v.strictObject({
  /** How far the part was ridden until now, with the earlier distance. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** How far apart exact values must be for an estimate. */
  least_distance: Meters,
  series: v.array(WearSeries),
})

/** What the details of a part show. */
const PartDetails = v.strictObject({
  ...PartHistory.entries,
  wear: Wear,
  /** The parts of its type and name. Null for work. */
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
