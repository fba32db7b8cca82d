import * as v from 'valibot'

// Far above any real ride, but low enough that one wrong number can't ruin a bike's total: 100,000 km, and the largest
// integer in PostgreSQL.
const MAX_METERS = 100_000_000
const MAX_SECONDS = 2_147_483_647

// PostgreSQL can't store NUL or half a surrogate pair, and would reject the complete page.
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll('\0', '').toWellFormed()),
)

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const Measure = v.pipe(v.number(), v.finite())

const Meters = v.pipe(Measure, v.minValue(0), v.maxValue(MAX_METERS))

// Until about 2018, durations were text like 100:30:52.
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

// A timestamp needs an offset to be unambiguous. PostgreSQL only reads years with four digits.
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
 * For secondary values: an unreadable one becomes null. That includes numbers sent as text, since "1.200" could be 1.2 or
 * 1,200, and a missing average is better than a wrong one.
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

/** Marks a value that is unreadable rather than missing. */
export const UNREADABLE = Symbol('unreadable')

function orUnreadable<Schema extends v.GenericSchema>(schema: Schema) {
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
 * A trip in the list, with text and times converted for the database. Drops unknown keys. Fails only if the id, distance or
 * time is unreadable, because usage depends on them.
 */
export const Trip = v.pipe(
  v.object({
    id: Id,
    distance: orNull(Meters),
    moving_time: orNull(Seconds),
    duration: orUnreadable(Seconds),
    departed_at: orNull(Instant),
    created_at: orUnreadable(Instant),
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
  // Usage falls back to these two, so they must be readable if it does.
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

/** A row with a readable id. */
export const Identified = v.object({ id: Id })

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The two forms of a list: an object with a count, or a plain array. */
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

const Label = orNull(
  v.pipe(
    Text,
    v.transform((text) => text.trim() || null),
  ),
)

/** An entry of the gear list. */
export const Gear = v.object({
  id: Id,
  nickname: Label,
  name: Label,
  make: Label,
  model: Label,
  archived: lenient(v.boolean()),
})
export type Gear = v.InferOutput<typeof Gear>

/** The response to a successful sign-in. */
export const CurrentUser = v.object({
  user: v.object({
    id: Id,
    auth_token: orNull(v.string()),
    time_zone: v.fallback(orNull(v.string()), null),
    gear: v.nullish(v.array(v.unknown()), []),
  }),
})

/** The response to a rejected sign-in, which has status 200: no user, or an error instead. */
export const RejectedUser = v.union([
  v.object({ user: v.null() }),
  v.object({ user: v.optional(v.never()), error: v.string() }),
])
