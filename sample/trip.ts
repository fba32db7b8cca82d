import { type Day, instantOf, stamp } from './calendar.ts'
import { POWER_METER_FITTED, ROAD } from './gear.ts'
import { KINDS, type Outing } from './outing.ts'
import { type Random, randomFor } from './random.ts'

/** The trip list fields that the tracker reads, in meters, seconds, km/h and UTC, with nulls as in real accounts. */
export interface Trip {
  id: number
  name: string
  description: string | null
  gear_id: number | null
  created_at: string
  departed_at: string
  updated_at: string
  /** IANA name, or a Rails name on old rides. */
  time_zone: string
  /** Standard time's UTC offset in seconds, even in summer. */
  utc_offset: number
  distance: number
  /** Seconds; `HH:MM:SS` on the oldest rides; null if the ride was entered by hand. */
  duration: number | string | null
  /** Same formats as `duration`. */
  moving_time: number | string | null
  max_speed: number | null
  avg_speed: number | null
  avg_hr: number | null
  max_hr: number | null
  /** An estimate if `max_watts` is null. */
  avg_watts: number | null
  max_watts: number | null
  avg_cad: number | null
  elevation_gain: number
  /** 0 means no photo. */
  highlighted_photo_id: number
  is_stationary: boolean
  is_gps: boolean
  /** Null without a track. */
  first_lat: number | null
}

// Before this day, Ride with GPS stored Rails time zone names.
const RAILS_NAMES_UNTIL: Day = '2021-02-01'

/** Returns an outing's recorded trip, which depends only on the outing. */
export function tripOf(outing: Outing): Trip {
  const { day, kind, place } = outing
  const random = randomFor(`ride ${day} ${outing.startsAt}`)
  const times = timesOf(outing, random)
  const climb = random.between(...KINDS[kind].climb)
  const distance = sixDigits(outing.kilometers * 1000)
  // Keep the order of random draws, including skipped ones, so every version generates the same sample data.
  const trip: Trip = {
    ...uploadOf(times.created, random),
    name: outing.name,
    description: outing.description ?? null,
    gear_id: outing.gearId,
    departed_at: stamp(times.departed),
    time_zone: day < RAILS_NAMES_UNTIL ? 'Pacific Time (US & Canada)' : place.zone,
    utc_offset: place.utcOffset,
    distance,
    duration: times.duration,
    moving_time: times.moving,
    elevation_gain: sixDigits(outing.kilometers * climb),
    ...heartRateOf(outing, random.skip(18)),
    avg_cad: cadenceOf(outing, random),
    ...speedsOf(outing, distance, times.moving, random),
    ...powerOf(outing, climb, random),
    is_stationary: kind === 'trainer',
    ...trackOf(outing, random),
    highlighted_photo_id: photoOf(outing, random),
  }
  if (outing.recorded === 'by hand') return enteredByHand(trip)
  return outing.recorded === 'early' ? recordedEarly(trip) : trip
}

function timesOf(outing: Outing, random: Random) {
  const { speed, pauses } = KINDS[outing.kind]
  const moving = Math.round((outing.kilometers / random.between(...speed)) * 3600)
  const duration = Math.round(moving * (1 + random.between(...pauses)))
  const departed = instantOf(outing.day, outing.startsAt, outing.place.zone)
  // Most rides are uploaded within minutes, but sometimes the bike computer is offline until the evening.
  const delay = random.chance(0.9) ? random.integer(25, 400) : random.integer(1800, 20_000)
  const created = outing.uploadedAt
    ? new Date(outing.uploadedAt)
    : new Date(departed.getTime() + (duration + delay) * 1000)
  return { moving, duration, departed, created }
}

const FIRST_UPLOAD = Date.UTC(2020, 10, 1)

function uploadOf(created: Date, random: Random): Pick<Trip, 'id' | 'created_at' | 'updated_at'> {
  const edited = random.chance(0.7) ? 0 : random.integer(20, 900)
  return {
    id: 60_000_000 + Math.floor(created.getTime() / 1000) - FIRST_UPLOAD / 1000,
    created_at: stamp(created),
    updated_at: stamp(new Date(created.getTime() + edited * 1000)),
  }
}

function heartRateOf({ kind }: Outing, random: Random): Pick<Trip, 'avg_hr' | 'max_hr'> {
  const { heart, strap } = KINDS[kind]
  if (!random.chance(strap)) return { avg_hr: null, max_hr: null }
  const average = random.integer(...heart)
  const max = Math.min(186, average + random.integer(18, 36))
  random.skip(6)
  return { avg_hr: average, max_hr: max }
}

function cadenceOf({ kind, gearId }: Outing, random: Random): number | null {
  const { cadence } = KINDS[kind]
  if (!cadence || gearId === null) return null
  const average = random.integer(...cadence)
  random.skip(2)
  return average
}

function speedsOf({ kind }: Outing, distance: number, seconds: number, random: Random) {
  const average = sixDigits((distance / seconds) * 3.6)
  const fastest = average * (kind === 'trainer' ? random.between(1.12, 1.35) : random.between(1.5, 2.4))
  const spike = kind !== 'trainer' && random.chance(0.003)
  return { avg_speed: average, max_speed: sixDigits(spike ? random.between(125, 235) : fastest) }
}

/** Returns power in watts: measured by the trainer or the road bike's pedals, otherwise estimated by Ride with GPS. */
function powerOf(outing: Outing, climb: number, random: Random): Pick<Trip, 'avg_watts' | 'max_watts'> {
  const { kind, gearId, day } = outing
  const typical = kind === 'trainer' ? 168 : (kind === 'errand' ? 70 : 118) + climb * 3.2
  const average = sixDigits(random.between(0.9, 1.1) * typical)
  const measured = kind === 'trainer' || (gearId === ROAD && day >= POWER_METER_FITTED)
  const max = measured ? Math.round(average * random.between(1.5, kind === 'trainer' ? 2.2 : 5)) : null
  random.skip(measured ? 2 : 1)
  return { avg_watts: average, max_watts: max }
}

const KILOMETERS_PER_DEGREE = 111.32

function trackOf({ kind, place, to }: Outing, random: Random): Pick<Trip, 'is_gps' | 'first_lat'> {
  // Ride with GPS sometimes reports a track for a trainer ride.
  if (kind === 'trainer') return { is_gps: random.chance(0.04), first_lat: null }
  const heading = random.skip(to ? 0 : 1).between(0, 2 * Math.PI)
  random.skip(to ? 4 : 6)
  const latitude = place.lat + (0.2 / KILOMETERS_PER_DEGREE) * Math.cos(heading)
  return { is_gps: true, first_lat: Math.round(latitude * 1e5) / 1e5 }
}

function photoOf({ kind, kilometers }: Outing, random: Random): number {
  const scenic = kind !== 'trainer' && kind !== 'commute' && kilometers > 20
  return scenic && random.chance(0.22) ? random.integer(14_000_000, 99_999_999) : 0
}

const enteredByHand = (trip: Trip): Trip => ({
  ...trip,
  description: '',
  duration: null,
  moving_time: null,
  max_speed: null,
  avg_speed: null,
  avg_hr: null,
  max_hr: null,
  avg_watts: null,
  max_watts: null,
  avg_cad: null,
  elevation_gain: 0,
  highlighted_photo_id: 0,
  is_gps: false,
  first_lat: null,
})

// Ride with GPS used to store durations as clock times.
const recordedEarly = (trip: Trip): Trip => ({
  ...trip,
  duration: clockTime(trip.duration),
  moving_time: clockTime(trip.moving_time),
})

function clockTime(time: Trip['duration']): Trip['duration'] {
  if (typeof time !== 'number') return time
  const parts = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Rounds to six significant digits, like Ride with GPS. */
const sixDigits = (value: number): number => Number(value.toPrecision(6))
