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
  /** As it was at the end of this day, only with the items that were on the bike then. */
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
}
/** What the SQL function `maintenance_use` returns. */
export const Usage = v.strictObject(usage)

const timeline = {
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
}
/** What the SQL function `bike_timeline` returns. */
export const Timeline = v.strictObject(timeline)

const UsageAndTimeline = v.strictObject({ ...usage, ...timeline })
export const Answer = v.union([Usage, UsageAndTimeline])

export type Usage = v.InferOutput<typeof Usage>
export type Timeline = v.InferOutput<typeof Timeline>
export type UsageCall = Call<'maintenance-use', typeof UsageInput, typeof Usage>
export type TimelineCall = Call<'maintenance-use', typeof TimelineInput, typeof UsageAndTimeline>
