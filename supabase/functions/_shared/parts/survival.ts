import type { MedianKind } from '../contracts/lifetimes.ts'

/** A lifetime. If `ended` is false, the lifetime so far. */
export interface Observation {
  value: number
  ended: boolean
}

/** The lifetimes of one length: how many there are, and how many of them ended. */
export interface Step {
  value: number
  all: number
  ends: number
}

const ascending = (a: number, b: number) => a - b

/** Returns null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted(ascending)
  if (sorted.length === 0) return null
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function stepsOf(observations: readonly Observation[]): Step[] {
  const steps = new Map<number, Step>()
  for (const { value, ended } of observations) {
    const step = steps.get(value) ?? { value, all: 0, ends: 0 }
    step.all += 1
    if (ended) step.ends += 1
    steps.set(value, step)
  }
  return [...steps.values()].toSorted((a, b) => a.value - b.value)
}

/** Yields the Kaplan-Meier curve: after each end, the share of lifetimes that is longer. */
function* kaplanMeier(steps: readonly Step[]): Generator<{ value: number; survival: number }> {
  let left = steps.reduce((sum, { all }) => sum + all, 0)
  let survival = 1
  for (const { value, all, ends } of steps) {
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
  for (const { value, survival } of kaplanMeier(stepsOf(observations))) {
    if (reached !== null) return (reached + value) / 2
    if (survival < 0.5 - TINY) return value
    if (survival < 0.5 + TINY) reached = value
  }
  return reached
}

/** Returns, for each of the percentages, which rise, by when this share has ended. Infinity if unknown. */
export const kaplanMeierPercentiles = (observations: readonly Observation[], percents: readonly number[]) =>
  percentilesOf(stepsOf(observations), percents)

/** Does the same for lifetimes that are already counted, shortest first. */
export function percentilesOf(steps: readonly Step[], percents: readonly number[]): number[] {
  const values = percents.map(() => Infinity)
  const shares = percents.map((percent) => 1 - percent / 100 + TINY)
  let found = 0
  for (const { value, survival } of kaplanMeier(steps)) {
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
