import * as v from 'valibot'
import { Count, Day, Instant } from '../_shared/contracts/fields.ts'
import { RideDays, ServiceTasks } from '../_shared/contracts/service-tasks.ts'
import { settingsSchema } from '../_shared/formats/settings.ts'

// The answer is an iCalendar file (RFC 5545), so only the SQL functions have a contract.

/** The result of the SQL function `calendar_feed`. */
export const FeedData = v.strictObject({
  ...ServiceTasks.entries,
  rides: RideDays,
  /** Null: the defaults. */
  settings: v.nullable(settingsSchema),
  /** Names by gear_id. */
  bikes: v.record(v.string(), v.string()),
  /** The day on which each due task reached its limit, by task id. */
  due_since: v.record(v.string(), v.nullable(Day)),
})

/** The result of the SQL function `stamp_calendar_feed`: the version of each event, by its id. */
export const Stamps = v.record(v.string(), v.strictObject({ revision: Count, changed_at: Instant }))

export type FeedData = v.InferOutput<typeof FeedData>
export type Stamps = v.InferOutput<typeof Stamps>
