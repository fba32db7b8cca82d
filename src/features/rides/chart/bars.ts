import { type Day, dayOf } from '../../../lib/days.ts'
import { counted, formatDuration, formatNumber, type Formats, monthName } from '../../../lib/formats.ts'
import type { Ride } from '../api.ts'
import { daysBetween, lastDay, nextPeriod, type Period, periodName, periodOf, PERIODS } from './periods.ts'

/** A period's rides, in meters and seconds. */
export type Bar = { start: Day; end: Day; rides: number; distance: number; time: number }

type RideSize = Pick<Ride, 'started_at' | 'distance' | 'moving_time' | 'duration'>

/** More bars would be unreadable and slow. */
const MAX_BARS = 800

/** A period is the default only if it has at most this many bars. */
const MAX_DEFAULT = { week: 26, month: 120, year: Infinity }

const DAYS = { week: 7, month: 30, year: 365 }

/** Returns the rides that aren't doubted. */
export function without<T extends { id: number }>(rides: T[], doubted: readonly { id: number }[]): T[] {
  if (doubted.length === 0) return rides
  const ids = new Set(doubted.map(({ id }) => id))
  return rides.filter(({ id }) => !ids.has(id))
}

/** Groups rides by period in chronological order, including empty periods. */
export function toBars(rides: readonly RideSize[], period: Period, { settings }: Formats): Bar[] {
  const byStart = new Map<Day, Bar>()
  for (const [day, sums] of sumsByDay(rides)) {
    const start = periodOf(day, period, settings.week_start)
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

function sumsByDay(rides: readonly RideSize[]) {
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

export type Measure = { label: string; valueOf: (bar: Bar) => number; tick: (value: number) => string }

export type MeasureId = 'distance' | 'time'

export function measuresIn({ distance }: Formats): Record<MeasureId, Measure> {
  return {
    distance: {
      label: 'Distance',
      valueOf: (bar) => distance.of(bar.distance),
      tick: (value) => `${formatNumber(Number(value.toFixed(1)))} ${distance.unit}`,
    },
    time: {
      label: 'Moving time',
      valueOf: (bar) => bar.time / 3600,
      tick: (hours) => `${Number(hours.toFixed(1))} h`,
    },
  }
}

export function describeBar(bar: Bar, period: Period, formats: Formats): string {
  const distance = formats.distance.format(bar.distance)
  return `${periodName(bar.start, period, formats)}: ${distance}, ${formatDuration(bar.time)}, ${counted(bar.rides, 'ride')}`
}

export function summaryOf(
  bars: readonly Bar[],
  period: Period,
  { valueOf }: Measure,
  formats: Formats,
): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return 'No rides to chart.'
  const top = bars.reduce((best, bar) => (valueOf(bar) > valueOf(best) ? bar : best), first)
  if (first === last) return describeBar(first, period, formats)
  return `Most in ${describeBar(top, period, formats).replace('Week', 'the week')}`
}

const MAX_LABELS = 14

export function tickOf(
  { start }: Bar,
  index: number,
  count: number,
  period: Period,
  { shortDay }: Formats,
): string | null {
  const year = start.slice(0, 4)
  if (period === 'year') return index % Math.ceil(count / MAX_LABELS) === 0 ? year : null
  if (period === 'week' && count <= MAX_LABELS) return shortDay(start, start)
  const isFirstOfMonth = period === 'month' || Number(start.slice(8)) <= 7
  if (!isFirstOfMonth) return null
  const isJanuary = start.slice(5, 7) === '01'
  if (isJanuary) return year
  if (period === 'month' && count > MAX_LABELS) return null
  return period === 'week' && count > 53 ? null : monthName(start)
}
