import * as v from 'valibot'

// Far above any real ride, so that one broken number cannot drown a bike's total: 100,000 km and the years that
// PostgreSQL's integer seconds can hold.
const MAX_METRES = 100_000_000
const MAX_SECONDS = 2_147_483_647

// PostgreSQL stores neither NUL nor half of a surrogate pair, and would refuse the whole page for one.
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll('\0', '').toWellFormed()),
)

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const Measure = v.pipe(v.number(), v.finite())

const Metres = v.pipe(Measure, v.minValue(0), v.maxValue(MAX_METRES))

// Until about 2018 durations were texts, whose hours may pass 99.
const ClockTime = v.pipe(
  v.string(),
  v.regex(/^\d+:[0-5]\d:[0-5]\d$/),
  v.transform((text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)),
)

const Seconds = v.pipe(
  v.union([v.number(), ClockTime]),
  v.minValue(0),
  v.maxValue(MAX_SECONDS),
  v.transform(Math.round),
)

// A moment with its offset; without one nobody knows which moment it is. Four digits of a year, which PostgreSQL reads.
const Instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
  v.date(),
  v.transform((date) => date.toISOString()),
  v.check((text) => /^\d{4}-/.test(text) && !text.startsWith('0000')),
)

function orNull<Schema extends v.GenericSchema>(schema: Schema) {
  return v.nullish(schema, null)
}

/** A trip of the list, its texts and times made fit for the database. Unknown keys are dropped. */
export const Trip = v.object({
  id: Id,
  name: orNull(Text),
  gear_id: orNull(v.pipe(v.number(), v.safeInteger())),
  created_at: orNull(Instant),
  departed_at: orNull(Instant),
  updated_at: orNull(Instant),
  time_zone: orNull(v.string()),
  distance: orNull(Metres),
  duration: orNull(Seconds),
  moving_time: orNull(Seconds),
  max_speed: orNull(Measure),
  avg_speed: orNull(Measure),
  avg_hr: orNull(Measure),
  max_hr: orNull(Measure),
  avg_watts: orNull(Measure),
  max_watts: orNull(Measure),
  avg_cad: orNull(Measure),
  elevation_gain: orNull(Measure),
  highlighted_photo_id: orNull(v.pipe(v.number(), v.safeInteger())),
  is_stationary: orNull(v.boolean()),
  is_gps: orNull(v.boolean()),
  first_lat: orNull(v.number()),
})
export type Trip = v.InferOutput<typeof Trip>

/** A row whose id at least can be read. */
export const Identified = v.object({ id: Id })

/** The two shapes of a list: with the count of all rows, or bare. A count that is no count is as good as none. */
export const TripList = v.union([
  v.pipe(
    v.array(v.unknown()),
    v.transform((results) => ({ results, results_count: null })),
  ),
  v.object({
    results: v.array(v.unknown()),
    results_count: v.fallback(orNull(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), null),
  }),
])

/** A piece of the gear list. */
export const Gear = v.object({
  id: Id,
  nickname: orNull(Text),
  name: orNull(Text),
  make: orNull(Text),
  model: orNull(Text),
})
export type Gear = v.InferOutput<typeof Gear>

/** The answer to a sign-in that succeeded. */
export const CurrentUser = v.object({
  user: v.object({
    id: Id,
    auth_token: orNull(v.string()),
    time_zone: v.fallback(orNull(v.string()), null),
    gear: v.nullish(v.array(v.unknown()), []),
  }),
})

/** The answer to a sign-in that was refused, though with status 200: no user, or a word of error in place of one. */
export const RefusedUser = v.union([
  v.object({ user: v.null() }),
  v.object({ user: v.optional(v.never()), error: v.string() }),
])
