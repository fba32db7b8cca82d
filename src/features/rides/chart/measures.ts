import { formatCount, formatDuration } from '../../../lib/formats.ts'
import type { Units } from '../../../lib/units.ts'
import type { Bar } from './bars.ts'
import { periodName, type Period } from './periods.ts'

/** What a bar's height can stand for: in the unit of the scale, and as words for a mark on it. */
export type Measure = { label: string; valueOf: (bar: Bar) => number; mark: (value: number) => string }

export type MeasureId = 'distance' | 'time'

export function measuresIn({ distance }: Units): Record<MeasureId, Measure> {
  return {
    distance: {
      label: 'Distance',
      valueOf: (bar) => distance.of(bar.distance),
      mark: (value) => `${Number(value.toFixed(1)).toLocaleString('en-US')} ${distance.unit}`,
    },
    time: {
      label: 'Moving time',
      valueOf: (bar) => bar.time / 3600,
      mark: (hours) => `${Number(hours.toFixed(1))} h`,
    },
  }
}

/** Everything that a bar says, in words. */
export function inWords(bar: Bar, period: Period, { distance }: Units): string {
  const rides = `${formatCount(bar.rides)} ${bar.rides === 1 ? 'ride' : 'rides'}`
  return `${periodName(bar.start, period)}: ${distance.format(bar.distance)}, ${formatDuration(bar.time)}, ${rides}`
}

/** What the whole picture says, in words. */
export function summaryOf(bars: readonly Bar[], period: Period, { valueOf }: Measure, units: Units): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return 'Nothing to draw.'
  const top = bars.reduce((best, bar) => (valueOf(bar) > valueOf(best) ? bar : best), first)
  if (first === last) return inWords(first, period, units)
  return `Most in ${inWords(top, period, units).replace('Week', 'the week')}`
}
