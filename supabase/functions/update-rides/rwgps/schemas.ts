import * as v from 'valibot'
import { isDay, isLogDay } from '../../_shared/formats/days.ts'
import { MEASURE_KEYS } from '../../_shared/measures.ts'

// Far above any real ride, but low enough that one wrong number can't ruin a bike's total. MAX_SECONDS is PostgreSQL's
// largest integer.
const MAX_METERS = 100_000_000
const MAX_SECONDS = 2_147_483_647

// PostgreSQL can't store NUL or half of a surrogate pair, and would reject the complete page.
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll('\0', '').toWellFormed()),
)

export const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const Finite = v.pipe(v.number(), v.finite())

const Meters = v.pipe(Finite, v.minValue(0), v.maxValue(MAX_METERS))

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

// JavaScript reads February 30 as March 1.
const toUtc = (text: string) => (isDay(text.slice(0, 10)) && new Date(text).toJSON()) || ''

// A timestamp needs an offset to be unambiguous.
const Instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  // PostgreSQL rejects offsets of 16 hours and more. Times in UTC stay as they are, because converting them takes long.
  v.transform((text) => (text.endsWith('Z') ? text : toUtc(text))),
  v.check((text) => isLogDay(text.slice(0, 10))),
)

function orNull<Schema extends v.GenericSchema>(schema: Schema) {
  return v.nullish(schema, null)
}

/** Marks a value that is unreadable rather than missing. */
export const UNREADABLE = Symbol('unreadable')

const Unreadable = v.pipe(
  v.unknown(),
  v.transform((): typeof UNREADABLE => UNREADABLE),
)

/** Null: no value. Undefined: no key. */
function field<Schema extends v.GenericSchema>(schema: Schema) {
  return v.nullish(v.union([schema, Unreadable]))
}

/**
 * A trip, with text and times converted for the database. Numbers sent as text are unreadable, because "1.200" could be 1.2
 * or 1,200, and a missing average is better than a wrong one.
 */
export const Trip = v.object({
  ...v.entriesFromList(MEASURE_KEYS, field(Finite)),
  id: field(Id),
  distance: field(Meters),
  moving_time: field(Seconds),
  duration: field(Seconds),
  departed_at: field(Instant),
  created_at: field(Instant),
  gear_id: field(Id),
  name: field(Text),
  highlighted_photo_id: field(v.pipe(v.number(), v.safeInteger())),
  updated_at: field(Instant),
  time_zone: field(v.string()),
  is_stationary: field(v.boolean()),
  is_gps: field(v.boolean()),
  first_lat: field(v.number()),
})
export type Trip = v.InferOutput<typeof Trip>

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

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

export const Gear = v.object({
  id: Id,
  nickname: Label,
  name: Label,
  make: Label,
  model: Label,
  archived: v.fallback(orNull(v.boolean()), null),
})
export type Gear = v.InferOutput<typeof Gear>

export const CurrentUser = v.object({
  user: v.object({
    id: Id,
    auth_token: orNull(v.string()),
    name: v.fallback(Label, null),
    time_zone: v.fallback(orNull(v.string()), null),
    gear: v.nullish(v.array(v.unknown()), []),
  }),
})

/** A rejected sign-in returns status 200, but with a null user, or an error and no user. */
export const RejectedUser = v.union([
  v.object({ user: v.null() }),
  v.object({ user: v.optional(v.never()), error: v.string() }),
])
