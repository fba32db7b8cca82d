// Service tasks: what the SQL functions `service_due` and `ride_days` return, and what functions make of it.
import * as v from 'valibot'
import { Count, Day, earlier, Id, Meters, Seconds, WallClock } from './fields.ts'

export const Axis = v.picklist(['distance', 'moving_time', 'days'])

export const Task = v.strictObject({
  id: Id,
  /** The bike, or the bike where the part is or was last. */
  gear_id: Id,
  /** The latest item of the part; null for a task of a bike. */
  item_id: v.nullable(Id),
  name: v.string(),
  kind: v.picklist(['service', 'replace', 'check']),
  /** The limits. Null: the task doesn't have this limit. */
  every: v.strictObject({
    distance: v.nullable(Meters),
    moving_time: v.nullable(Seconds),
    days: v.nullable(Count),
  }),
  /** Whether indoor rides don't count. */
  outdoor_only: v.boolean(),
  used: v.strictObject({ distance: Meters, moving_time: Seconds, days: Count }),
  /** What counts of the time before the log. Null also if the task was done on this part. */
  ...earlier,
  /** How much of the limit that decides is used up; 1 is due. */
  fraction: v.number(),
  /** The limit that decides. */
  axis: Axis,
  state: v.picklist(['ok', 'soon', 'due', 'overdue', 'snoozed', 'paused']),
  /** Null: not snoozed until a day. */
  snoozed_until: v.nullable(Day),
  /** Snoozed until this much is used. Null: not snoozed until a distance. */
  snoozed_distance: v.nullable(Meters),
  /** Null for a task of a bike. */
  part_id: v.nullable(Id),
  item_name: v.nullable(v.string()),
  item_type: v.nullable(v.string()),
  /** When rides start to count. Null for a bike without rides. */
  baseline: v.nullable(WallClock),
  /** Null: never. */
  last_done: v.nullable(WallClock),
  /** The highest id of its events; `mark_service_done` expects it as `seen`. Null without events. */
  newest_event: v.nullable(Id),
})

/** The tasks of all bikes or of one. */
export const ServiceTasks = v.strictObject({ tasks: v.array(Task) })

/** The outdoor or the indoor rides of a bike as parallel lists. */
export const BikeDays = v.strictObject({
  gear_id: Id,
  is_stationary: v.boolean(),
  /** How many days before today. */
  ago: v.array(Count),
  distance: v.array(Meters),
  moving_time: v.array(Seconds),
})

export const RideDays = v.strictObject({
  /** In the owner's time zone. */
  today: Day,
  bikes: v.array(BikeDays),
})

/** A task with the day on which it will likely be due. */
export const ForecastTask = v.strictObject({
  ...Task.entries,
  /** Null: no date. */
  forecast: v.nullable(
    v.strictObject({
      /** Null: no range is shown. */
      early: v.nullable(Day),
      likely: Day,
      /** Null: no range is shown, or, next to an early date, over two years. */
      late: v.nullable(Day),
    }),
  ),
  /** Why a range or a date is missing. Null: nothing is. */
  forecast_note: v.nullable(v.picklist(['first_year', 'resting', 'low_score', 'over_a_year'])),
  /** Whether less than two typical rides are left. */
  is_next_ride: v.boolean(),
})

/** What a forecast is made of. */
export const Explanation = v.strictObject({
  axis: v.picklist(['distance', 'moving_time']),
  /** What is left, in meters or seconds. */
  remaining: v.number(),
  /** How many days the same amount took. */
  windows: v.strictObject({
    /** Looking back from each day of the last year. */
    recent: v.array(Count),
    /** Looking forward from about this date in earlier years. */
    earlier: v.array(Count),
  }),
  /** Days until the 5th, 50th and 95th percentile of the windows. Null: over two years. */
  range: v.strictObject({ early: Count, likely: Count, late: v.nullable(Count) }),
  /** How often the bike's range for the same amount held in the last two years. */
  score: v.strictObject({ held: Count, times: Count }),
})
export type Axis = v.InferOutput<typeof Axis>
export type Task = v.InferOutput<typeof Task>
export type BikeDays = v.InferOutput<typeof BikeDays>
export type RideDays = v.InferOutput<typeof RideDays>
export type ForecastTask = v.InferOutput<typeof ForecastTask>
export type Explanation = v.InferOutput<typeof Explanation>
