// The results of the SQL functions `service_due` and `ride_days`, and the forecasts computed from them.
import * as v from 'valibot'
import { AXIS_KEYS, byAxis, byRideAxis, RIDE_AXES } from '../axes.ts'
import { READINGS, TASK_KINDS } from '../limits.ts'
import { Count, Day, earlier, Id, Meters, WallClock } from './fields.ts'

const Axis = v.picklist(AXIS_KEYS)
/** In meters, seconds or days. */
const Amount = v.number()

export const Task = v.strictObject({
  id: Id,
  /** The task's bike, or its part's current or last bike. */
  gear_id: Id,
  /** The part's latest item. Null for a bike's task. */
  item_id: v.nullable(Id),
  name: v.string(),
  kind: v.picklist(TASK_KINDS),
  /** Null: no such limit. */
  every: v.strictObject(byAxis(() => v.nullable(Amount))),
  outdoor_only: v.boolean(),
  used: v.strictObject(byAxis(() => Amount)),
  /** Until the limit is reached; negative afterward. The days also until `due_on`. Null: no such limit. */
  left: v.strictObject(byAxis(() => v.nullable(Amount))),
  /** Done once: then it is in no list, only in the history. */
  once: v.boolean(),
  /** Null: no day. Only a task that is done once has one. */
  due_on: v.nullable(Day),
  /** The task whose next Done offers this one. Null: none. Only a task that is done once has one. */
  with_task: v.nullable(Id),
  /** The last measurement of a part to check. Null: none. */
  measured: v.nullable(
    v.strictObject({
      unit: v.string(),
      tool: v.string(),
      /** Null: the unit's usual limit, if any. */
      limit: v.nullable(v.number()),
      /** Null: the gauge shows an exact value. */
      reading: v.nullable(v.picklist(READINGS)),
    }),
  ),
  /** Null: none, or it was removed. */
  with_task_name: v.nullable(v.string()),
  /** The same for all tasks that were added together, which screens show as one. Null: added alone. */
  group: v.nullable(Id),
  /** Usage from before the log. Null if unknown, or if the task was done on this part. */
  ...earlier,
  /** The used share of the limit named by `axis`. Due at 1. 0 for a task that only waits for another one. */
  fraction: v.number(),
  axis: Axis,
  state: v.picklist(['ok', 'soon', 'due', 'overdue', 'snoozed', 'paused']),
  /** Null: not snoozed by date. */
  snoozed_until: v.nullable(Day),
  /** Snoozed until this distance is used. Null: not snoozed by distance. */
  snoozed_distance: v.nullable(Meters),
  /** Null for a bike's task. */
  part_id: v.nullable(Id),
  item_name: v.nullable(v.string()),
  item_type: v.nullable(v.string()),
  /** Whether the bike is retired, which pauses its tasks. */
  is_retired: v.boolean(),
  /** The time from which rides count. Null for a bike without rides. */
  baseline: v.nullable(WallClock),
  /** Null: never. */
  last_done: v.nullable(WallClock),
  /** The highest id of the task's events, which `mark_done` expects as `seen`. Null without events. */
  newest_event: v.nullable(Id),
})

/** The limit of a measured part on a bike in use, that a reading shows as reached, or that has an estimate. One per part and unit. */
export const WearLimit = v.strictObject({
  part_id: Id,
  gear_id: Id,
  /** The part's latest item. */
  item_id: Id,
  item_name: v.string(),
  item_type: v.nullable(v.string()),
  unit: v.string(),
  /** What it was measured with last. */
  tool: v.string(),
  limit: v.number(),
  /** The part's meters until now. */
  distance: Meters,
  /** The part's meters at the reading, or from which on the limit is likely reached. */
  limit_distance: Meters,
  /** The day of the first reading since which all show that it is reached. Null: estimated. */
  reached_on: v.nullable(Day),
  /** The last measurement that shows that it isn't reached. Null: none. */
  last_open: v.nullable(Id),
  /** The day on which the part got there. Null: not yet. */
  due_since: v.nullable(Day),
  fraction: v.number(),
  state: v.picklist(['ok', 'soon', 'due', 'overdue']),
})

export const ServiceTasks = v.strictObject({ tasks: v.array(Task), limits: v.array(WearLimit) })

/** A bike's outdoor or indoor rides as parallel lists of days and amounts, one entry per ride. */
export const BikeDays = v.strictObject({
  gear_id: Id,
  is_stationary: v.boolean(),
  /** Days before today. */
  ago: v.array(Count),
  ...byRideAxis(() => v.array(Amount)),
})

export const RideDays = v.strictObject({
  /** In the owner's time zone. */
  today: Day,
  bikes: v.array(BikeDays),
})

const forecast = {
  /** Null: no date. */
  forecast: v.nullable(
    v.strictObject({
      /** Null: no range is shown. */
      early: v.nullable(Day),
      likely: Day,
      /** Null if no range is shown, or if `early` is set and this day is over two years away. */
      late: v.nullable(Day),
    }),
  ),
  /** The reason for a missing range or date. Null: neither is missing. */
  forecast_note: v.nullable(v.picklist(['first_year', 'resting', 'low_score', 'over_a_year'])),
  /** Whether fewer than two typical rides are left. */
  is_next_ride: v.boolean(),
}

export const ForecastTask = v.strictObject({ ...Task.entries, ...forecast })

/** Without a range, which would hide that the estimate has its own. */
export const ForecastLimit = v.strictObject({ ...WearLimit.entries, ...forecast })

export const Explanation = v.strictObject({
  axis: v.picklist(RIDE_AXES),
  /** In meters or seconds. */
  remaining: v.number(),
  /** How many days the same amount took before. Excludes windows that today cuts off. */
  windows: v.strictObject({
    /** Looking back from each day of the last year. */
    recent: v.array(Count),
    /** Looking forward from about this date in earlier years. */
    earlier: v.array(Count),
  }),
  /** In days. From the 5th, 50th and 95th percentiles of the windows, and of past forecasts’ errors. Null: over two years. */
  range: v.strictObject({ early: Count, likely: Count, late: v.nullable(Count) }),
  /** Of `times` forecasts of this amount in the last two years, the range held in `held`. */
  score: v.strictObject({ held: Count, times: Count }),
})
export type Task = v.InferOutput<typeof Task>
export type BikeDays = v.InferOutput<typeof BikeDays>
export type RideDays = v.InferOutput<typeof RideDays>
export type ForecastTask = v.InferOutput<typeof ForecastTask>
export type WearLimit = v.InferOutput<typeof WearLimit>
export type ForecastLimit = v.InferOutput<typeof ForecastLimit>
export type Explanation = v.InferOutput<typeof Explanation>
