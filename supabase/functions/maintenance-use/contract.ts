import * as v from 'valibot'
import {
  type Call,
  Day,
  Dollars,
  earlier,
  Id,
  LogDay,
  Month,
  objectInput,
  rideSums,
  WallClock,
} from '../_shared/contracts/fields.ts'

const ofBike = {
  gear_id: Id,
  /** Usage at the end of this day, only of the items that were on the bike then. */
  day: v.optional(LogDay),
}
const UsageInput = objectInput({ ...ofBike, timeline: v.optional(v.literal(false)) })
const TimelineInput = objectInput({ ...ofBike, timeline: v.literal(true) })
export const Input = v.union([UsageInput, TimelineInput])

const usage = {
  gear_id: Id,
  total: v.strictObject(rideSums),
  items: v.array(
    v.strictObject({
      id: Id,
      ...rideSums,
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
      cost: Dollars,
      /** Derived from name and type: `chain`, `front tire`, `tires` (both)… Null: unknown. */
      kind: v.nullable(v.string()),
    }),
  ),
}
/** The result of the SQL function `maintenance_use`. */
export const Usage = v.strictObject(usage)

const timeline = {
  /** Only months with rides. */
  months: v.array(v.strictObject({ month: Month, ...rideSums })),
  /** Service events of the bike and of the parts on it. */
  services: v.array(
    v.strictObject({
      id: Id,
      name: v.string(),
      day: Day,
      /** The part's item. Null for a task of the bike. */
      item_id: v.nullable(Id),
      /** The item with the cost. Null: free. */
      paid_item_id: v.nullable(Id),
    }),
  ),
}
/** The result of the SQL function `bike_timeline`. */
export const Timeline = v.strictObject(timeline)

const UsageAndTimeline = v.strictObject({ ...usage, ...timeline })
export const Answer = v.union([Usage, UsageAndTimeline])

export type Usage = v.InferOutput<typeof Usage>
export type Timeline = v.InferOutput<typeof Timeline>
export type UsageCall = Call<'maintenance-use', typeof UsageInput, typeof Usage>
export type TimelineCall = Call<'maintenance-use', typeof TimelineInput, typeof UsageAndTimeline>
