import type { Ride } from './api.ts'
import { type MeasureKey, MEASURES } from '../../lib/measures.ts'

/** A measure is null if no ride has a value for it. */
export type RideTotals = Record<MeasureKey, number | null>

type Rides = readonly Pick<Ride, MeasureKey>[]

/** Calculates totals, ignoring missing values. Averages are weighted by moving time, or by duration if it is missing. */
export function totalsOf(rides: Rides): RideTotals {
  const calculate = { sum, highest, average }
  const totals = MEASURES.map(({ key, total }) => [key, calculate[total](rides, key)] as const)
  return Object.fromEntries(totals) as RideTotals
}

function sum(rides: Rides, name: MeasureKey): number | null {
  let total: number | null = null
  for (const { [name]: value } of rides) if (value !== null) total = (total ?? 0) + value
  return total
}

function highest(rides: Rides, name: MeasureKey): number | null {
  let top: number | null = null
  for (const { [name]: value } of rides) if (value !== null && (top === null || value > top)) top = value
  return top
}

function average(rides: Rides, name: MeasureKey): number | null {
  let [weighted, weight] = [0, 0]
  for (const { [name]: value, moving_time, duration } of rides) {
    const time = moving_time ?? duration
    if (value === null || time === null) continue
    weighted += value * time
    weight += time
  }
  return weight > 0 ? weighted / weight : null
}
