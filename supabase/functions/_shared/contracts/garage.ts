import * as v from 'valibot'
import { Count, Money, Id, Meters, rideSums, WallClock } from './fields.ts'

/** "This year" is the year until today in the owner's time zone. `cost` also includes planned entries. */
export const bikeSums = { ...rideSums, distance_this_year: Meters, cost: Money, cost_this_year: Money }

/** The result of the SQL function `garage`. */
export const Totals = v.strictObject({
  /** In the order of the Bikes row. */
  bikes: v.array(
    v.strictObject({
      gear_id: Id,
      ...bikeSums,
      /** Null without rides. */
      last_ride: v.nullable(WallClock),
      /** The most recently installed part, except planned parts. Null if there is none. */
      newest_item: v.nullable(v.strictObject({ name: v.string(), dateStarted: WallClock })),
      /** The distance of each of the last 24 months, this month last. */
      months: v.pipe(v.array(Meters), v.length(24)),
    }),
  ),
  /** Excludes rides without a bike. */
  total: v.strictObject(bikeSums),
  /** Includes rides without a bike. */
  all: v.strictObject({
    ...rideSums,
    distance_this_year: Meters,
    /** Of last year, until today's day. */
    distance_last_year_to_date: Meters,
  }),
  rides_without_bike: Count,
})

export type Totals = v.InferOutput<typeof Totals>
