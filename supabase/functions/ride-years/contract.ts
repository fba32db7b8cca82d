import * as v from 'valibot'
import { type Call, Day, Id, Meters, Month, objectInput, rideSums } from '../_shared/contracts/fields.ts'

export const Input = v.optional(
  objectInput({
    /** A bike, or `none` for rides without one. Default: all rides. */
    gear: v.optional(v.union([Id, v.literal('none')])),
  }),
  {},
)

/** `elevation_gain` is in meters. */
const sums = { ...rideSums, elevation_gain: Meters }

/** The result of the SQL function `ride_years`. */
export const Answer = v.strictObject({
  /** In the owner's time zone. */
  today: Day,
  /** The months with rides, oldest first. */
  months: v.array(v.strictObject({ month: Month, ...sums })),
  /** The years with rides, newest first. `to_date`: until today's day in that year. */
  years: v.array(
    v.strictObject({ year: v.pipe(v.string(), v.regex(/^\d{4}$/)), ...sums, to_date: v.strictObject(sums) }),
  ),
  /** Includes rides without a date. */
  total: v.strictObject(sums),
})

export type RideYears = v.InferOutput<typeof Answer>
export type RideYearsCall = Call<'ride-years', typeof Input, typeof Answer>
