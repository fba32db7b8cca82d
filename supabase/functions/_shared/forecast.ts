import { METERS_PER_MILE } from './units.ts'

/**
 * Forecasts when a bike reaches a distance or riding time, from how long the same amount took before. Deterministic.
 * docs/decisions/forecast.md explains the method and its measured accuracy.
 */

/** The 5th, 50th and 95th percentiles in days. The range holds 8 times in 10. Infinity: two years or more. */
export interface Range {
  early: number
  likely: number
  late: number
}

/** Window lengths in days. */
export interface Windows {
  recent: number[]
  earlier: number[]
}

/** Running totals since the first ride: `sums[day + 1] - sums[day]` is a day's amount. */
export type Sums = Float64Array

export const YEAR = 365
/** Longer windows are cut to this many days, so a percentile of this length has no upper end. */
export const MAX_WINDOW_DAYS = 2 * YEAR

const PACE_DAYS = 56
const EARLIER_YEARS = 3
const EARLIER_SPREAD = 30
const EARLIER_STEP = 3
/** The pace scales earlier windows by at most this factor, up or down. */
const MAX_SCALE = 3

/** Forecasts are checked every 14 days of the last two years. */
const CHECK_STEP = 14
const CHECKS = 52
/** With fewer checked forecasts, ranges held much less often. */
const MIN_CHECKS = 6

/** Enough history to check forecasts made a year ago: the year since, the three years before them, and the earlier pace. */
export const HISTORY_DAYS = (1 + EARLIER_YEARS) * YEAR + EARLIER_SPREAD + PACE_DAYS

/** Added to both paces, so a few more rides don't double them. */
export const PAD_METERS = 60 * METERS_PER_MILE
/** The padding for riding time: 4.5 hours, the time for 60 miles, in seconds. */
export const PAD_SECONDS = 4.5 * 3600

const lastDay = (sums: Sums) => sums.length - 2

export function sumDays(amounts: ArrayLike<number>): Sums {
  const sums = new Float64Array(amounts.length + 1)
  for (let day = 0; day < amounts.length; day++) sums[day + 1] = sums[day]! + amounts[day]!
  return sums
}

/** Finds how long riding `amount` took before, as known at the end of day `at`. */
export function findWindows(sums: Sums, at: number, amount: number, pad: number): Windows {
  return { recent: recentWindows(sums, at, amount), earlier: earlierWindows(sums, at, amount, pad) }
}

function recentWindows(sums: Sums, at: number, amount: number): number[] {
  const windows: number[] = []
  let start = at
  for (let end = at; end > at - YEAR && end >= 0; end--) {
    start = Math.min(start, end)
    while (start >= 0 && sums[end + 1]! - sums[start]! < amount) start--
    if (start < 0) break
    windows.push(Math.min(end + 1 - start, MAX_WINDOW_DAYS))
  }
  return windows
}

function earlierWindows(sums: Sums, at: number, amount: number, pad: number): number[] {
  const pace = (day: number) => sums[day + 1]! - sums[day + 1 - PACE_DAYS]! + pad
  const windows: number[] = []
  for (let year = 1; year <= EARLIER_YEARS; year++) {
    for (let shift = -EARLIER_SPREAD; shift <= EARLIER_SPREAD; shift += EARLIER_STEP) {
      const start = at - year * YEAR + shift
      if (start + 1 < PACE_DAYS) continue
      const busier = Math.min(Math.max(pace(at) / pace(start), 1 / MAX_SCALE), MAX_SCALE)
      windows.push(daysUntil(sums, start, amount / busier, at) ?? MAX_WINDOW_DAYS)
    }
  }
  return windows
}

/** Counts the days from `start` until the amount was ridden; null if it wasn't by the end of day `at`. */
export function daysUntil(sums: Sums, start: number, amount: number, at: number): number | null {
  const wanted = sums[start + 1]! + amount
  if (sums[at + 1]! < wanted) return null
  // Binary search for the first day whose sum reaches the amount.
  let [low, high] = [start + 1, at]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle + 1]! >= wanted) high = middle
    else low = middle + 1
  }
  return Math.min(low - start, MAX_WINDOW_DAYS)
}

// Shared by all calls, because garbage collecting one array per call takes longer than the call.
const weights = new Float64Array(MAX_WINDOW_DAYS + 1)

/** Returns percentiles of the window lengths, weighting recent and earlier windows equally. All are Infinity if the amount was never ridden. */
export function rangeOf({ recent, earlier }: Windows): Range {
  if (recent.length + earlier.length === 0) return { early: Infinity, likely: Infinity, late: Infinity }
  // Integer weights keep the sums exact.
  weights.fill(0)
  const [ofRecent, ofEarlier] = [earlier.length || 1, recent.length || 1]
  for (const days of recent) weights[days]! += ofRecent
  for (const days of earlier) weights[days]! += ofEarlier
  const total = recent.length * ofRecent + earlier.length * ofEarlier
  const percentile = (percent: number) => {
    let [days, sum] = [0, weights[0]!]
    while (sum * 100 < total * percent) sum += weights[++days]!
    return days === MAX_WINDOW_DAYS ? Infinity : days
  }
  return { early: percentile(5), likely: percentile(50), late: percentile(95) }
}

/** Returns the days until `amount` at the pace of the last 90 days; null without rides. */
export function daysAtPace(sums: Sums, at: number, amount: number): number | null {
  const days = Math.min(90, at + 1)
  const recent = sums[at + 1]! - sums[at + 1 - days]!
  return recent > 0 ? Math.max(1, Math.ceil((amount * days) / recent)) : null
}

export function isResting(sums: Sums, at: number): boolean {
  let rideDays = 0
  for (let day = at; day > at - 90 && day >= 0 && rideDays < 3; day--) {
    if (sums[day + 1]! > sums[day]!) rideDays++
  }
  return rideDays < 3
}

/** The range held in `held` of `times` forecasts with a known outcome. */
export interface Score {
  held: number
  times: number
}

export interface Outcome {
  at: number
  range: Range
  /** The days that the amount took. Null if unknown so far. */
  days: number | null
  /** Null while the forecast may still come true. */
  held: boolean | null
}

/** Repeats past forecasts, oldest first, using only the rides known at the time. */
export function backtest(sums: Sums, amount: number, pad: number, count = Infinity): Outcome[] {
  return pastDays(sums, count).map((at) => outcomeOf(sums, at, amount, pad))
}

/** Lists every 14th day after the first year, oldest first, except days on which the bike was resting. */
function pastDays(sums: Sums, count: number): number[] {
  const today = lastDay(sums)
  const possible = Math.max(0, Math.floor((today - YEAR) / CHECK_STEP))
  return Array.from({ length: Math.min(count, possible) }, (_, index) => today - (index + 1) * CHECK_STEP)
    .filter((at) => !isResting(sums, at))
    .toReversed()
}

function outcomeOf(sums: Sums, at: number, amount: number, pad: number): Outcome {
  const range = rangeOf(findWindows(sums, at, amount, pad))
  const days = daysUntil(sums, at, amount, lastDay(sums))
  return { at, range, days, held: isHeld(range, days, lastDay(sums) - at) }
}

function isHeld({ early, late }: Range, days: number | null, elapsed: number): boolean | null {
  if (days !== null) return days >= early && days <= late
  if (late === Infinity) return elapsed < MAX_WINDOW_DAYS ? null : true
  return elapsed > late ? false : null
}

/** Scores the last two years' forecasts of this amount, except forecasts that may still come true. */
export function scoreOf(sums: Sums, amount: number, pad: number): Score {
  const known = backtest(sums, amount, pad, CHECKS).filter(({ held }) => held !== null)
  return { held: known.filter(({ held }) => held).length, times: known.length }
}

export function hasEnoughChecks(sums: Sums, amount: number, pad: number): boolean {
  let checks = 0
  for (const at of pastDays(sums, CHECKS)) {
    // Check the days first: most forecasts don't need their range, which takes much longer to compute.
    const isKnown =
      daysUntil(sums, at, amount, lastDay(sums)) !== null || outcomeOf(sums, at, amount, pad).held !== null
    if (isKnown) checks += 1
    if (checks === MIN_CHECKS) return true
  }
  return false
}

/** Returns the median daily amount over the last year's riding days; 0 if there are none. */
export function typicalRide(sums: Sums): number {
  const today = lastDay(sums)
  const rides: number[] = []
  for (let day = today; day > today - YEAR && day >= 0; day--) {
    if (sums[day + 1]! > sums[day]!) rides.push(sums[day + 1]! - sums[day]!)
  }
  return Float64Array.from(rides).toSorted()[rides.length >> 1] ?? 0
}
