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

/**
 * Secondary values: an unreadable one becomes null. That includes numbers sent as text, since nobody knows whether
 * "1.200" is 1.2 or 1,200, and a missing average is better than a wrong one.
 */
function lenient<Schema extends v.GenericSchema>(schema: Schema) {
  return orNull(
    v.union([
      schema,
      v.pipe(
        v.unknown(),
        v.transform(() => null),
      ),
    ]),
  )
}

/** Takes the place of a value that is unreadable rather than absent. */
export const UNREADABLE = Symbol('unreadable')

function standIn<Schema extends v.GenericSchema>(schema: Schema) {
  return orNull(
    v.union([
      schema,
      v.pipe(
        v.unknown(),
        v.transform((): typeof UNREADABLE => UNREADABLE),
      ),
    ]),
  )
}

/**
 * A trip of the list, its texts and times made fit for the database. Unknown keys are dropped. A trip fails only if its
 * id, distance or time is unreadable, because usage depends on them.
 */
export const Trip = v.pipe(
  v.object({
    id: Id,
    distance: orNull(Metres),
    moving_time: orNull(Seconds),
    duration: standIn(Seconds),
    departed_at: orNull(Instant),
    created_at: standIn(Instant),
    name: lenient(Text),
    gear_id: lenient(v.pipe(v.number(), v.safeInteger())),
    updated_at: lenient(Instant),
    time_zone: lenient(v.string()),
    max_speed: lenient(Measure),
    avg_speed: lenient(Measure),
    avg_hr: lenient(Measure),
    max_hr: lenient(Measure),
    avg_watts: lenient(Measure),
    max_watts: lenient(Measure),
    avg_cad: lenient(Measure),
    elevation_gain: lenient(Measure),
    highlighted_photo_id: lenient(v.pipe(v.number(), v.safeInteger())),
    is_stationary: lenient(v.boolean()),
    is_gps: lenient(v.boolean()),
    first_lat: lenient(v.number()),
  }),
  // Usage falls back on these two, so then they decide.
  v.forward(
    v.check((trip) => trip.moving_time !== null || trip.duration !== UNREADABLE),
    ['duration'],
  ),
  v.forward(
    v.check((trip) => trip.departed_at !== null || trip.created_at !== UNREADABLE),
    ['created_at'],
  ),
)
export type Trip = v.InferOutput<typeof Trip>

/** A row whose id at least can be read. */
export const Identified = v.object({ id: Id })

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The two shapes of a list: with the count of all rows, or bare. */
export const TripList = v.union([
  v.pipe(
    v.array(v.unknown()),
    v.transform((results) => ({ results, results_count: null })),
  ),
  v.object({
    results: v.array(v.unknown()),
    results_count: v.optional(
      v.fallback(v.union([Count, v.literal('unreadable')]), 'unreadable'),
      'unreadable',
    ),
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
