import * as v from 'valibot'
import { Count, Day, Id, Meters, Money, Month, rates, Seconds } from './fields.ts'

const sums = { cost: Money, distance: Meters, moving_time: Seconds }
const ofType = { type: v.nullable(v.string()), cost: Money }

const costs = {
  /** In the owner's time zone. */
  today: Day,
  months: v.array(v.strictObject({ month: Month, gear_id: Id, ...ofType })),
  /** What bikes were sold for. No cost has it. */
  income: v.array(v.strictObject({ month: Month, gear_id: Id, amount: Money })),
  /** Until today. `months` and the period also include planned entries. */
  this_year: Money,
  /** Until the same day of last year. */
  last_year_to_date: Money,
}

/** The result of the SQL function `spending`. `bikes`, `types` and `total` cover the period. */
export const Costs = v.strictObject({
  ...costs,
  bikes: v.array(
    v.strictObject({
      gear_id: Id,
      ...sums,
      /** In the last 365 days, today included. */
      distance_of_year: Meters,
    }),
  ),
  types: v.array(v.strictObject(ofType)),
  total: v.strictObject(sums),
})

export const Spending = v.strictObject({
  ...costs,
  /** The cost of replacing worn parts. Null if it can't be estimated for any part in use. */
  next_twelve_months: v.nullable(v.strictObject({ low: Money, high: Money })),
  /** Parts in use that the estimate covers or can't cover, except parts of bikes without rides in the last 365 days. */
  next_twelve_months_parts: v.strictObject({ known: Count, unknown: Count }),
  period: v.strictObject({
    bikes: v.array(v.strictObject({ gear_id: Id, ...sums, ...rates })),
    /** The rates use the total distance and time of all bikes. */
    types: v.array(v.strictObject({ ...ofType, ...rates })),
    total: v.strictObject({ ...sums, ...rates }),
  }),
})

export type Costs = v.InferOutput<typeof Costs>
export type Spending = v.InferOutput<typeof Spending>
