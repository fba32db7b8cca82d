/** Running totals since the first ride: `sums[day + 1] - sums[day]` is a day's amount. */
export type Sums = Float64Array

/** How many days an amount took before. Negative: it wasn't reached in as many days, so it took longer. */
export interface Windows {
  recent: ArrayLike<number>
  earlier: ArrayLike<number>
}

export const YEAR = 365
/** Longer windows are cut off after this many days. */
export const MAX_WINDOW_DAYS = 2 * YEAR
export const PACE_DAYS = 56
export const EARLIER_YEARS = 3
export const EARLIER_SPREAD = 30
const EARLIER_STEP = 3
const MAX_EARLIER = EARLIER_YEARS * ((2 * EARLIER_SPREAD) / EARLIER_STEP + 1)
/** The pace scales earlier windows by at most this factor, up or down. */
const MAX_SCALE = 3
/** An amount of this many days is scaled by the square root of the pace, because a pace doesn't last. */
const SCALE_DAYS = 182

export function sumDays(amounts: ArrayLike<number>): Sums {
  const sums = new Float64Array(amounts.length + 1)
  for (let day = 0; day < amounts.length; day++) sums[day + 1] = sums[day]! + amounts[day]!
  return sums
}

/** Returns the amount of the 56 days up to `day`, plus `pad`. */
export const paceOf = (sums: Sums, day: number, pad: number) =>
  sums[day + 1]! - sums[day + 1 - PACE_DAYS]! + pad

const windowOf = (days: number, ended: boolean) =>
  days >= MAX_WINDOW_DAYS ? -MAX_WINDOW_DAYS : ended ? days : -days

/** Lists, for each day, the shortest window of days that ends on it and contains `amount`. */
export function windowsUntil(sums: Sums, amount: number): Int16Array {
  const windows = new Int16Array(sums.length - 1)
  let start = 0
  for (let end = 0; end < windows.length; end++) {
    while (sums[end + 1]! - sums[start + 1]! >= amount) start++
    windows[end] = windowOf(end + 1 - start, sums[end + 1]! - sums[start]! >= amount)
  }
  return windows
}

/** Lists how long the amount took around the date of day `at` in earlier years, as known at the end of day `at`. */
export function earlierWindows(sums: Sums, at: number, amount: number, pad: number): Int16Array {
  const windows = new Int16Array(MAX_EARLIER)
  let found = 0
  const pace = paceOf(sums, at, pad)
  const lasting = SCALE_DAYS / (SCALE_DAYS + amount / dailyPace(sums, at))
  for (let year = 1; year <= EARLIER_YEARS; year++) {
    for (let shift = -EARLIER_SPREAD; shift <= EARLIER_SPREAD; shift += EARLIER_STEP) {
      const start = at - year * YEAR + shift
      if (start + 1 < PACE_DAYS) continue
      const busier = (pace / paceOf(sums, start, pad)) ** lasting
      const scale = Math.min(Math.max(busier, 1 / MAX_SCALE), MAX_SCALE)
      const days = daysUntil(sums, start, amount / scale, at)
      windows[found++] = windowOf(days ?? at - start, days !== null)
    }
  }
  return windows.subarray(0, found)
}

/** Returns the average amount a day of the last year. */
function dailyPace(sums: Sums, at: number): number {
  const days = Math.min(YEAR, at + 1)
  return (sums[at + 1]! - sums[at + 1 - days]!) / days
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
