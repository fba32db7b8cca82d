import type { MedianKind } from '../contracts/lifetimes.ts'

/** A lifetime. If `ended` is false, the lifetime so far. */
export interface Observation {
  value: number
  ended: boolean
  /** Counts this many times. One if absent. */
  weight?: number
}

const ascending = (a: number, b: number) => a - b

/** Returns null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted(ascending)
  if (sorted.length === 0) return null
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Yields the Kaplan-Meier curve: after each end, the share of lifetimes that is longer. */
function* kaplanMeier(observations: readonly Observation[]): Generator<{ value: number; survival: number }> {
  const sorted = observations.toSorted((a, b) => a.value - b.value)
  let left = sorted.reduce((sum, { weight = 1 }) => sum + weight, 0)
  let survival = 1
  for (let index = 0; index < sorted.length;) {
    const { value } = sorted[index]!
    let [ends, all] = [0, 0]
    for (; sorted[index]?.value === value; index++) {
      const { ended, weight = 1 } = sorted[index]!
      all += weight
      if (ended) ends += weight
    }
    survival *= 1 - ends / left
    left -= all
    if (ends > 0) yield { value, survival }
  }
}

/** Makes up for rounding when shares are compared. */
const TINY = 1e-9

/**
 * Returns the Kaplan-Meier median as R's `survfit` prints it: where the curve falls below one half, or halfway between the
 * times at which it reaches and leaves one half. Null if it never reaches one half.
 */
export function kaplanMeierMedian(observations: readonly Observation[]): number | null {
  let reached: number | null = null
  for (const { value, survival } of kaplanMeier(observations)) {
    if (reached !== null) return (reached + value) / 2
    if (survival < 0.5 - TINY) return value
    if (survival < 0.5 + TINY) reached = value
  }
  return reached
}

/** Returns, for each of the percentages, which rise, by when this share has ended. Infinity if unknown. */
export function kaplanMeierPercentiles(
  observations: readonly Observation[],
  percents: readonly number[],
): number[] {
  const values = percents.map(() => Infinity)
  const shares = percents.map((percent) => 1 - percent / 100 + TINY)
  let found = 0
  for (const { value, survival } of kaplanMeier(observations)) {
    while (survival < (shares[found] ?? 0)) values[found++] = value
    if (found === shares.length) break
  }
  return values
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
