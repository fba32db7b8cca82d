// What the contracts of the functions are made of.
import * as v from 'valibot'

/** The number of a bike or of a row. */
export const Id = v.pipe(v.number(), v.safeInteger())

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const Meters = v.number()
export const Seconds = v.number()
export const Dollars = v.number()

/** YYYY-MM-DD. */
export type Day = `${string}-${string}-${string}`
/** A day that exists, as YYYY-MM-DD. */
export const Day = v.custom<Day>(
  (day) =>
    typeof day === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(day) &&
    new Date(day).getUTCDate() === Number(day.slice(8)),
)
/** A day in the years that the log accepts. */
export const LogDay = v.pipe(
  Day,
  v.check((day) => /^(19|20)/.test(day)),
)
/** YYYY-MM. */
export const Month = v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/))

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?`
/** A local time without a time zone, like 2024-05-01T08:30:00. */
export const WallClock = v.pipe(v.string(), v.regex(new RegExp(`^${TIME}$`)))
/** A time with its offset from UTC, like 2024-05-01T08:30:00+00:00. */
export const Instant = v.pipe(v.string(), v.regex(new RegExp(String.raw`^${TIME}(Z|[+-]\d\d:\d\d)$`)))

/** The rides, distance and time of a bike, item or month. A ride without a moving time counts its duration. */
export const rideSums = { rides: Count, distance: Meters, moving_time: Seconds }

/** What a part was ridden before the log knew it. Null: unknown. Usage of the part includes it. */
export const earlier = { earlier_distance: v.nullable(Meters), earlier_moving_time: v.nullable(Seconds) }
export type Earlier = { [Amount in keyof typeof earlier]: v.InferOutput<(typeof earlier)[Amount]> }

/** The fields of what riding costs. Null without rides or a price. */
export const rates = { cost_per_km: v.nullable(Dollars), cost_per_hour: v.nullable(Dollars) }
export type Rates = { [Rate in keyof typeof rates]: v.InferOutput<(typeof rates)[Rate]> }

/** A body with these parameters and nothing else. */
export const objectInput = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    v.unknown(),
    // valibot accepts arrays as objects.
    v.check((body) => !Array.isArray(body)),
    v.strictObject(entries),
  )

/** A body that is missing or has no parameters. */
export const NoInput = v.optional(objectInput({}), {})

/** A call of a function, for the client: the name of the function, and the types of what it gets and answers. */
export interface Call<Name extends string, Input extends v.GenericSchema, Answer extends v.GenericSchema> {
  name: Name
  input: v.InferOutput<Input>
  answer: v.InferOutput<Answer>
}
