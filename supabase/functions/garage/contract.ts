import * as v from 'valibot'
import {
  type Call,
  Count,
  Id,
  Meters,
  Money,
  NoInput,
  rates,
  rideSums,
  WallClock,
} from '../_shared/contracts/fields.ts'

export const Input = NoInput

/** "This year" is the year until today in the owner's time zone. `cost` also includes planned entries. */
const sums = { ...rideSums, distance_this_year: Meters, cost: Money, cost_this_year: Money }

/** The result of the SQL function `garage`. */
export const Totals = v.strictObject({
  /** In the order of the Bikes row. */
  bikes: v.array(
    v.strictObject({
      gear_id: Id,
      ...sums,
      /** Null without rides. */
      last_ride: v.nullable(WallClock),
      /** The most recently installed part, except planned parts. Null if there is none. */
      newest_item: v.nullable(v.strictObject({ name: v.string(), dateStarted: WallClock })),
      /** The distance of each of the last 24 months, this month last. */
      months: v.pipe(v.array(Meters), v.length(24)),
    }),
  ),
  /** Excludes rides without a bike. */
  total: v.strictObject(sums),
  rides_without_bike: Count,
})

export const Answer = v.strictObject({
  ...Totals.entries,
  total: v.strictObject({ ...sums, ...rates }),
})

export type Totals = v.InferOutput<typeof Totals>
export type Garage = v.InferOutput<typeof Answer>
export type GarageCall = Call<'garage', typeof Input, typeof Answer>
