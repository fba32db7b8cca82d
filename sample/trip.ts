import { type Day, instantOf, stamp } from './calendar.ts'
import { cadenceOf, heartOf, powerOf } from './effort.ts'
import { KINDS } from './kinds.ts'
import type { Outing } from './outing.ts'
import { type Random, randomFor } from './random.ts'
import { enteredByHand, recordedEarly } from './records.ts'
import { six } from './six.ts'
import { trackOf } from './track.ts'
import type { Trip } from './types.ts'

/** The rider's id. */
export const RIDER = 1_204_417

// The service stored Rails names of zones on old records.
const RAILS_NAMES_UNTIL: Day = '2021-02-01'
// And it stopped filling in the membership.
const MEMBERSHIPS_UNTIL: Day = '2026-01-01'

/** What the service recorded of an outing. It depends on the outing alone. */
export function tripOf(outing: Outing): Trip {
  const { day, kind, gearId, place } = outing
  const random = randomFor(`ride ${day} ${outing.startsAt}`)
  const times = timesOf(outing, random)
  const climb = random.between(...KINDS[kind].climb)
  const climbed = six(outing.kilometres * climb)
  const distance = six(outing.kilometres * 1000)
  const indoors = kind === 'trainer'
  const trip: Trip = {
    ...uploadOf(times.created, random),
    group_membership_id: day < MEMBERSHIPS_UNTIL ? 3_120_884 : null,
    route_id: null,
    gear_id: gearId,
    departed_at: stamp(times.departed),
    duration: times.duration,
    distance,
    elevation_gain: climbed,
    elevation_loss: six(climbed * random.between(0.98, 1.02)),
    visibility: random.chance(0.85) ? 0 : 2,
    description: outing.description ?? null,
    name: outing.name,
    ...heartOf(outing, times.moving, random),
    ...cadenceOf(outing, random),
    ...speedsOf(outing, distance, times.moving, random),
    moving_time: times.moving,
    processed: true,
    ...powerOf(outing, times.moving, climb, random),
    is_stationary: indoors,
    time_zone: day < RAILS_NAMES_UNTIL ? 'Pacific Time (US & Canada)' : place.zone,
    ...trackOf(outing, random),
    user_id: RIDER,
    deleted_at: null,
    postal_code: null,
    locality: place.locality,
    administrative_area: place.administrative_area,
    country_code: place.country_code,
    source_type: 'garmin_connect',
    likes_count: kind === 'commute' || indoors ? 0 : random.integer(0, 6),
    terrain: indoors ? 'unknown' : climb < 6 ? 'flat' : climb < 11 ? 'rolling' : 'climbing',
    difficulty: indoors ? 'unknown' : difficultyOf(outing.kilometres + climbed / 50),
    activity_type_id: 0,
    activity_category_id: 0,
    vam: indoors ? 0 : Math.round(random.between(200, 320) + climb * 14),
    max_grade: indoors ? null : six(4 + climb * random.between(0.4, 0.9)),
    fit_sport: 2,
    fit_sub_sport: KINDS[kind].subSport,
    fit_product: 3_122,
    ...photoOf(outing, random),
    utc_offset: place.utcOffset,
  }
  if (outing.record === 'by hand') return enteredByHand(trip)
  return outing.record === 'early' ? recordedEarly(trip) : trip
}

function timesOf(outing: Outing, random: Random) {
  const { speed, pauses } = KINDS[outing.kind]
  const moving = Math.round((outing.kilometres / random.between(...speed)) * 3600)
  const duration = Math.round(moving * (1 + random.between(...pauses)))
  const departed = instantOf(outing.day, outing.startsAt, outing.place.zone)
  // Mostly within minutes; sometimes the computer meets no network until the evening.
  const delay = random.chance(0.9) ? random.integer(25, 400) : random.integer(1800, 20_000)
  const created = outing.uploadedAt
    ? new Date(outing.uploadedAt)
    : new Date(departed.getTime() + (duration + delay) * 1000)
  return { moving, duration, departed, created }
}

const FIRST_UPLOAD = Date.UTC(2020, 10, 1)

/** Ids grow with the time of the upload. */
function uploadOf(
  created: Date,
  random: Random,
): Pick<Trip, 'id' | 'created_at' | 'updated_at' | 'track_id'> {
  const seconds = Math.floor(created.getTime() / 1000)
  const touched = random.chance(0.7) ? 0 : random.integer(20, 900)
  return {
    id: 60_000_000 + seconds - FIRST_UPLOAD / 1000,
    created_at: stamp(created),
    updated_at: stamp(new Date(created.getTime() + touched * 1000)),
    track_id: seconds.toString(16) + random.hex(16),
  }
}

function speedsOf({ kind }: Outing, distance: number, seconds: number, random: Random) {
  const average = six((distance / seconds) * 3.6)
  const fastest = average * (kind === 'trainer' ? random.between(1.12, 1.35) : random.between(1.5, 2.4))
  const spike = kind !== 'trainer' && random.chance(0.003)
  return { avg_speed: average, max_speed: six(spike ? random.between(125, 235) : fastest) }
}

function difficultyOf(load: number): Trip['difficulty'] {
  if (load < 15) return 'casual'
  if (load < 45) return 'easy'
  return load < 90 ? 'moderate' : 'hard'
}

function photoOf({ kind, kilometres }: Outing, random: Random) {
  const scenic = kind !== 'trainer' && kind !== 'commute' && kilometres > 20
  if (!scenic || !random.chance(0.22)) return { highlighted_photo_id: 0, highlighted_photo_checksum: null }
  return {
    highlighted_photo_id: random.integer(14_000_000, 99_999_999),
    highlighted_photo_checksum: random.hex(32),
  }
}
