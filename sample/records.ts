import { NO_TRACK } from './track.ts'
import type { Trip } from './types.ts'

/** A ride that the rider typed in: a distance, and nothing that a device would measure. */
export function enteredByHand(trip: Trip): Trip {
  return {
    ...trip,
    ...NO_TRACK,
    description: '',
    duration: null,
    moving_time: null,
    elevation_gain: 0,
    elevation_loss: 0,
    avg_speed: null,
    max_speed: null,
    avg_hr: null,
    max_hr: null,
    min_hr: null,
    hr_zones: null,
    avg_cad: null,
    max_cad: null,
    min_cad: null,
    avg_watts: null,
    max_watts: null,
    min_watts: null,
    work: null,
    calories: null,
    vam: 0,
    max_grade: null,
    source_type: null,
    fit_product: null,
    track_type: 'unknown',
    terrain: 'unknown',
    difficulty: 'unknown',
    highlighted_photo_id: 0,
    highlighted_photo_checksum: null,
  }
}

/** A record of the days when the service wrote durations as a clock. */
export function recordedEarly(trip: Trip): Trip {
  return { ...trip, duration: clock(trip.duration), moving_time: clock(trip.moving_time) }
}

function clock(time: Trip['duration']): Trip['duration'] {
  if (typeof time !== 'number') return time
  const parts = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
