import type { MedianKind } from './contracts/lifetimes.ts'

/** A lifetime. If `ended` is false, the lifetime so far. */
export interface Observation {
  value: number
  ended: boolean
}

const ascending = (a: number, b: number) => a - b

/** Returns null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted(ascending)
  if (sorted.length === 0) return null
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Returns the Kaplan-Meier median as R's `survfit` prints it: where the curve falls below one half, or halfway between the
 * times at which it reaches and leaves one half. Null if it never reaches one half.
 */
export function kaplanMeierMedian(observations: readonly Observation[]): number | null {
  const sorted = observations.toSorted((a, b) => a.value - b.value)
  let survival = 1
  let reached: number | null = null
  for (let first = 0, next = 0; first < sorted.length; first = next) {
    const time = sorted[first]!.value
    while (sorted[next]?.value === time) next += 1
    const ends = sorted.slice(first, next).filter(({ ended }) => ended).length
    if (ends === 0) continue
    if (reached !== null) return (reached + time) / 2
    survival *= 1 - ends / (sorted.length - first)
    if (survival < 0.5 - 1e-9) return time
    if (survival < 0.5 + 1e-9) reached = time
  }
  return reached
}

/**
 * Returns the median of ended lifetimes. If a running lifetime is already longer, returns the Kaplan-Meier median or, if
 * there is none, the longest lifetime as a lower bound (`over`). Null if no lifetime has ended.
 */
export function typicalOf(observations: readonly Observation[]): { value: number; kind: MedianKind } | null {
  const median = medianOf(observations.flatMap(({ value, ended }) => (ended ? [value] : [])))
  if (median === null) return null
  if (!observations.some(({ value, ended }) => !ended && value > median))
    return { value: median, kind: 'median' }
  const estimate = kaplanMeierMedian(observations)
  if (estimate !== null) return { value: estimate, kind: 'kaplan_meier' }
  return { value: Math.max(...observations.map(({ value }) => value)), kind: 'over' }
}
