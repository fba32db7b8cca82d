import type { Ride } from './api.ts'

type Measured =
  | 'distance'
  | 'duration'
  | 'moving_time'
  | 'max_speed'
  | 'avg_hr'
  | 'max_hr'
  | 'avg_watts'
  | 'max_watts'
  | 'avg_cad'
  | 'elevation_gain'

export type RideTotals = Record<Measured | 'avg_speed', number | null>

type Rides = readonly Pick<Ride, Measured>[]

/**
 * Sums of what adds up, maxima of maxima, and averages weighted by the time in motion (the speed: distance by time,
 * over the rides that have both). Null where no ride has a value.
 */
export function totalsOf(rides: Rides): RideTotals {
  return {
    distance: sum(rides, 'distance'),
    duration: sum(rides, 'duration'),
    moving_time: sum(rides, 'moving_time'),
    elevation_gain: sum(rides, 'elevation_gain'),
    max_speed: max(rides, 'max_speed'),
    max_hr: max(rides, 'max_hr'),
    max_watts: max(rides, 'max_watts'),
    avg_hr: average(rides, 'avg_hr'),
    avg_watts: average(rides, 'avg_watts'),
    avg_cad: average(rides, 'avg_cad'),
    avg_speed: speed(rides),
  }
}

function values(rides: Rides, name: Measured): number[] {
  return rides.map((ride) => ride[name]).filter((value) => value !== null)
}

function sum(rides: Rides, name: Measured): number | null {
  const present = values(rides, name)
  return present.length > 0 ? present.reduce((total, value) => total + value, 0) : null
}

function max(rides: Rides, name: Measured): number | null {
  return values(rides, name).reduce<number | null>(
    (top, value) => (top === null || value > top ? value : top),
    null,
  )
}

function average(rides: Rides, name: Measured): number | null {
  let [weighted, weight] = [0, 0]
  for (const ride of rides) {
    const [value, time] = [ride[name], ride.moving_time ?? ride.duration]
    if (value === null || time === null) continue
    weighted += value * time
    weight += time
  }
  return weight > 0 ? weighted / weight : null
}

function speed(rides: Rides): number | null {
  let [metres, seconds] = [0, 0]
  for (const { distance, moving_time } of rides) {
    if (distance === null || moving_time === null) continue
    metres += distance
    seconds += moving_time
  }
  return seconds > 0 ? (metres / seconds) * 3.6 : null
}
