import { type Day, dayOf } from '../../../lib/days.ts'
import type { Ride } from '../api.ts'
import { daysBetween, lastDay, nextPeriod, periodOf, type Period, PERIODS } from './periods.ts'

/** The rides of a period, in meters and seconds. */
export type Bar = { start: Day; end: Day; rides: number; distance: number; time: number }

type Ridden = Pick<Ride, 'started_at' | 'distance' | 'moving_time' | 'duration'>

/** More bars would be unreadable and slow. */
const MAX_BARS = 800

/** The most bars to show of a period by default. */
const MAX_DEFAULT = { week: 26, month: 120, year: Infinity }

const DAYS = { week: 7, month: 30, year: 365 }

/** Groups rides by period in chronological order, including empty periods. */
export function toBars(rides: readonly Ridden[], period: Period): Bar[] {
  const byStart = new Map<Day, Bar>()
  for (const [day, sums] of sumsByDay(rides)) {
    const start = periodOf(day, period)
    const bar = byStart.get(start) ?? emptyBar(start, period)
    bar.rides += sums.rides
    bar.distance += sums.distance
    bar.time += sums.time
    byStart.set(start, bar)
  }
  const starts = [...byStart.keys()].toSorted()
  const [first, last] = [starts[0], starts.at(-1)]
  if (!first || !last) return []
  const bars: Bar[] = []
  for (let start = first; start <= last; start = nextPeriod(start, period)) {
    bars.push(byStart.get(start) ?? emptyBar(start, period))
  }
  return bars
}

/** The periods that can be charted, and the best one for the time between the first and last ride. */
export function periodsFor(rides: readonly Pick<Ride, 'started_at'>[]): { possible: Period[]; best: Period } {
  let [first, last] = ['9999', '0000']
  for (const { started_at } of rides) {
    if (started_at === null) continue
    if (started_at < first) first = started_at
    if (started_at > last) last = started_at
  }
  const days = first <= last ? daysBetween(dayOf(first), dayOf(last)) : 0
  const isPossible = (period: Period) => period === 'year' || days / DAYS[period] <= MAX_BARS
  return {
    possible: PERIODS.filter(isPossible),
    best: PERIODS.find((period) => days / DAYS[period] <= MAX_DEFAULT[period]) ?? 'year',
  }
}

function sumsByDay(rides: readonly Ridden[]) {
  const sums = new Map<Day, Pick<Bar, 'rides' | 'distance' | 'time'>>()
  for (const { started_at, distance, moving_time, duration } of rides) {
    if (started_at === null) continue
    const day = dayOf(started_at)
    const sum = sums.get(day) ?? { rides: 0, distance: 0, time: 0 }
    sum.rides += 1
    sum.distance += distance ?? 0
    sum.time += moving_time ?? duration ?? 0
    sums.set(day, sum)
  }
  return sums
}

function emptyBar(start: Day, period: Period): Bar {
  return { start, end: lastDay(start, period), rides: 0, distance: 0, time: 0 }
}
