import {
  daysUntil,
  EARLIER_SPREAD,
  EARLIER_YEARS,
  earlierWindows,
  MAX_WINDOW_DAYS,
  PACE_DAYS,
  paceOf,
  type Sums,
  type Windows,
  windowsUntil,
  YEAR,
} from './forecast-windows.ts'
import { kaplanMeierPercentiles, type Observation, percentilesOf, type Step } from '../parts/survival.ts'
import { METERS_PER_MILE } from '../formats/units.ts'

/**
 * Forecasts when a bike reaches a distance or riding time, from how long the same amount took before, and from how far past
 * forecasts were off. Deterministic. docs/decisions/forecast.md explains the method and its measured accuracy.
 */

/** Days until the amount is ridden. The range holds about 9 times in 10 for riders who keep their habits, and 8 in 10 over all. Infinity: two years or more. */
export interface Range {
  early: number
  likely: number
  late: number
}

/** An amount to ride, and the bike's rides. */
export interface Goal {
  sums: Sums
  amount: number
  pad: number
  /** The window that ends on each day. */
  windows: Int16Array
  /** Caches the percentiles of the windows, because each forecast checks many earlier ones. */
  spreads: Map<number, Range>
}

/** How much a range widens, down and up, if it is a year ahead. */
const DRIFT = 0.25
/** The weight of past errors in a range. The windows have the rest. */
const ERROR_WEIGHT = 0.75
/** A range ends at this multiple of the longest time the amount ever took. */
const MAX_LATE = 1.5

/** Forecasts are checked every 14 days of the last two years. */
const CHECK_STEP = 14
const CHECKS = 52
/** The errors of past forecasts are taken every 56 days, because forecasts that are closer together have similar errors. */
const ERROR_STEP = 4 * CHECK_STEP
const ERRORS = CHECKS / 4
/** With fewer checked forecasts, ranges held much less often. */
const MIN_CHECKS = 6

/** Enough history to check forecasts made a year ago: the year since, the three years before them, and the earlier pace. */
export const HISTORY_DAYS = (1 + EARLIER_YEARS) * YEAR + EARLIER_SPREAD + PACE_DAYS

/** Added to both paces, so a few more rides don't double them. */
export const PAD_METERS = 60 * METERS_PER_MILE
/** The padding for riding time: 4.5 hours, the time for 60 miles, in seconds. */
export const PAD_SECONDS = 4.5 * 3600

const lastDay = (sums: Sums) => sums.length - 2

export function goalOf(sums: Sums, amount: number, pad: number): Goal {
  return { sums, amount, pad, windows: windowsUntil(sums, amount), spreads: new Map() }
}

/** Finds how long riding the amount took before, as known at the end of day `at`. */
export function findWindows({ sums, amount, pad, windows }: Goal, at = lastDay(sums)): Windows {
  return {
    recent: windows.subarray(Math.max(0, at + 1 - YEAR), at + 1),
    earlier: earlierWindows(sums, at, amount, pad),
  }
}

// The weight of windows of each length, negative ones first. Shared by all calls, because garbage collecting arrays takes longer
// than a call.
const weights = new Float64Array(2 * MAX_WINDOW_DAYS + 1)

/** Returns percentiles of the window lengths, weighting recent and earlier windows equally. */
export function spreadOf({ recent, earlier }: Windows): Range {
  weights.fill(0)
  // Integer weights keep the sums exact.
  const longest = Math.max(count(recent, earlier.length || 1), count(earlier, recent.length || 1))
  const steps: Step[] = []
  for (let value = 1; value <= longest; value++) {
    const ends = weights[MAX_WINDOW_DAYS + value]!
    const all = ends + weights[MAX_WINDOW_DAYS - value]!
    if (all > 0) steps.push({ value, all, ends })
  }
  const [early, likely, late] = percentilesOf(steps, [5, 50, 95])
  return { early: early!, likely: likely!, late: late! }
}

/** Adds the windows to the weights. Returns the longest one's days. */
function count(windows: ArrayLike<number>, weight: number): number {
  let longest = 0
  for (let index = 0; index < windows.length; index++) {
    const days = windows[index]!
    weights[MAX_WINDOW_DAYS + days]! += weight
    longest = Math.max(longest, Math.abs(days))
  }
  return longest
}

function spreadAt(goal: Goal, at: number): Range {
  const known = goal.spreads.get(at)
  if (known) return known
  const spread = spreadOf(findWindows(goal, at))
  goal.spreads.set(at, spread)
  return spread
}

/** Forecasts the amount as of the end of day `at`. `likely` and `late` are Infinity if half of the windows are cut off. */
export function rangeOf(goal: Goal, at = lastDay(goal.sums)): Range {
  const { early, likely, late } = spreadAt(goal, at)
  if (likely === Infinity) return { early, likely, late: Infinity }
  const [least, most] = errorsAt(goal, at, [early / likely, late / likely])
  const drift = 1 + (DRIFT * likely) / YEAR
  const longest = longestOf(goal.windows, at)
  const slower = slowdown(goal, at)
  return {
    early: rounded((likely * least) / drift),
    likely: rounded(likely * Math.sqrt(slower)),
    late: rounded(Math.max(likely, Math.min(likely * most * drift, longest * MAX_LATE)) * slower ** 2),
  }
}

/** Returns the longest window, or the longest time without the amount, up to day `at`. */
function longestOf(windows: Int16Array, at: number): number {
  let longest = 0
  for (let day = 0; day <= at; day++) longest = Math.max(longest, Math.abs(windows[day]!))
  return longest
}

const rounded = (days: number) => (days >= MAX_WINDOW_DAYS ? Infinity : Math.max(1, Math.round(days)))

/**
 * Returns the 5th and 95th percentiles of the days that the amount took, as multiples of `likely`. Combines the percentiles
 * of the windows with those of past forecasts. A past forecast that hasn't come true yet took at least this long.
 */
function errorsAt(goal: Goal, at: number, ofWindows: [number, number]): [number, number] {
  const errors = pastDays(goal.sums, at, ERROR_STEP, ERRORS).flatMap((past): Observation[] => {
    const { likely } = spreadAt(goal, past)
    const days = daysUntil(goal.sums, past, goal.amount, at)
    return likely === Infinity ? [] : [{ value: (days ?? at - past) / likely, ended: days !== null }]
  })
  if (errors.filter(({ ended }) => ended).length < MIN_CHECKS) return ofWindows
  const [least, most] = kaplanMeierPercentiles(errors, [5, 95])
  return [combine(ofWindows[0], Math.min(1, least!)), combine(ofWindows[1], Math.max(1, most!))]
}

const combine = (ofWindows: number, ofErrors: number) =>
  ofWindows ** (1 - ERROR_WEIGHT) * ofErrors ** ERROR_WEIGHT

/**
 * Returns how much less was ridden in the last 56 days than in any 56 days up to a year ago; 1 if it wasn't less. So a rest
 * that is longer than any before counts more, the longer it lasts.
 */
function slowdown({ sums, pad }: Goal, at: number): number {
  let lowest = Infinity
  for (let day = PACE_DAYS - 1; day <= at - YEAR; day++) lowest = Math.min(lowest, paceOf(sums, day, pad))
  return lowest === Infinity ? 1 : Math.max(1, lowest / paceOf(sums, at, pad))
}

/**
 * Returns the days until `amount` at the pace of the last 90 days; null without rides. The pace of a younger bike counts
 * from its first ride, without that ride: three rides in two weeks are two rides a fortnight.
 */
export function daysAtPace(sums: Sums, at: number, amount: number): number | null {
  const days = Math.min(90, at)
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
export function backtest(goal: Goal, count = Infinity): Outcome[] {
  return pastDays(goal.sums, lastDay(goal.sums), CHECK_STEP, count).map((at) => outcomeOf(goal, at))
}

/** Lists every `step`th day from the first year's end to day `today`, oldest first, except days on which the bike was resting. */
function pastDays(sums: Sums, today: number, step: number, count: number): number[] {
  const possible = Math.max(0, Math.floor((today - YEAR) / step))
  return Array.from({ length: Math.min(count, possible) }, (_, index) => today - (index + 1) * step)
    .filter((at) => !isResting(sums, at))
    .toReversed()
}

function outcomeOf(goal: Goal, at: number): Outcome {
  const today = lastDay(goal.sums)
  const range = rangeOf(goal, at)
  const days = daysUntil(goal.sums, at, goal.amount, today)
  return { at, range, days, held: isHeld(range, days, today - at) }
}

function isHeld({ early, late }: Range, days: number | null, elapsed: number): boolean | null {
  if (days !== null) return days >= early && days <= late
  if (late === Infinity) return elapsed < MAX_WINDOW_DAYS ? null : true
  return elapsed > late ? false : null
}

/** Scores the last two years' forecasts of this amount, except forecasts that may still come true. */
export function scoreOf(goal: Goal): Score {
  const known = backtest(goal, CHECKS).filter(({ held }) => held !== null)
  return { held: known.filter(({ held }) => held).length, times: known.length }
}

export function hasEnoughChecks(goal: Goal): boolean {
  const { sums, amount } = goal
  const today = lastDay(sums)
  let checks = 0
  for (const at of pastDays(sums, today, CHECK_STEP, CHECKS)) {
    // Check the days first: most forecasts don't need their range, which takes much longer to compute.
    const isKnown = daysUntil(sums, at, amount, today) !== null || outcomeOf(goal, at).held !== null
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
