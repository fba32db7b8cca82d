import * as v from 'valibot'
import { type Day as CalendarDay, isDay, isLogDay } from '../formats/days.ts'

export const Id = v.pipe(v.number(), v.safeInteger())

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const Meters = v.number()
export const Seconds = v.number()
/** In the currency of the settings, which is only a sign. */
export const Money = v.number()

export type Day = CalendarDay
export const Day = v.custom<Day>((day) => typeof day === 'string' && isDay(day))
export const LogDay = v.custom<Day>((day) => typeof day === 'string' && isLogDay(day))
/** YYYY-MM. */
export const Month = v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/))

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?`
/** A local time without a time zone, like 2024-05-01T08:30:00. */
export const WallClock = v.pipe(v.string(), v.regex(new RegExp(`^${TIME}$`)))
/** A time with its offset from UTC, like 2024-05-01T08:30:00+00:00. */
export const Instant = v.pipe(v.string(), v.regex(new RegExp(String.raw`^${TIME}(Z|[+-]\d\d:\d\d)$`)))

/** If a ride has no moving time, its duration counts. */
export const rideSums = { rides: Count, distance: Meters, moving_time: Seconds }

/** A part's usage from before the log, which its totals include. Null: unknown. */
export const earlier = { earlier_distance: v.nullable(Meters), earlier_moving_time: v.nullable(Seconds) }
export type Earlier = { [Money in keyof typeof earlier]: v.InferOutput<(typeof earlier)[Money]> }

/** Costs of riding. Null without rides or a price. */
export const rates = { cost_per_km: v.nullable(Money), cost_per_hour: v.nullable(Money) }
export type Rates = { [Rate in keyof typeof rates]: v.InferOutput<(typeof rates)[Rate]> }

/** Creates the schema of a request body that allows only these parameters. */
export const objectInput = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.unknown(),
    // valibot accepts arrays as objects.
    v.check((body) => !Array.isArray(body)),
    v.strictObject(entries),
  )

export const NoInput = v.optional(objectInput({}), {})

export interface Call<Name extends string, Input extends v.GenericSchema, Answer extends v.GenericSchema> {
  name: Name
  input: v.InferOutput<Input>
  answer: v.InferOutput<Answer>
}
