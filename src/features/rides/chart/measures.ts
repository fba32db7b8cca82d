import { formatCount, formatDistance, formatDuration, toMiles } from '../../../lib/formats.ts'
import type { Bar } from './bars.ts'
import { periodName, type Unit } from './periods.ts'

/** What a bar's height can stand for: in the unit of the scale, and as words for a mark on it. */
export const MEASURES = {
  distance: {
    label: 'Distance',
    valueOf: (bar: Bar) => toMiles(bar.distance),
    mark: (miles: number) => `${Number(miles.toFixed(1)).toLocaleString('en-US')} mi`,
  },
  time: {
    label: 'Moving time',
    valueOf: (bar: Bar) => bar.time / 3600,
    mark: (hours: number) => `${Number(hours.toFixed(1))} h`,
  },
} as const

export type ChartMeasure = keyof typeof MEASURES

/** Everything that a bar says, in words. */
export function inWords(bar: Bar, unit: Unit): string {
  const rides = `${formatCount(bar.rides)} ${bar.rides === 1 ? 'ride' : 'rides'}`
  return `${periodName(bar.start, unit)}: ${formatDistance(bar.distance)}, ${formatDuration(bar.time)}, ${rides}`
}

/** What the whole picture says, in words. */
export function summaryOf(bars: readonly Bar[], unit: Unit, measure: ChartMeasure): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return 'Nothing to draw.'
  const { valueOf } = MEASURES[measure]
  const top = bars.reduce((best, bar) => (valueOf(bar) > valueOf(best) ? bar : best), first)
  return first === last ? inWords(first, unit) : `Most in ${inWords(top, unit).replace('Week', 'the week')}`
}
