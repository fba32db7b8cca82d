import { formatCount, formatDuration } from '../../../lib/formats.ts'
import type { Units } from '../../../lib/units.ts'
import type { Bar } from './bars.ts'
import { periodName, type Period } from './periods.ts'

/** What the height of a bar shows. `tick` formats an axis label. */
export type Measure = { label: string; valueOf: (bar: Bar) => number; tick: (value: number) => string }

export type MeasureId = 'distance' | 'time'

export function measuresIn({ distance }: Units): Record<MeasureId, Measure> {
  return {
    distance: {
      label: 'Distance',
      valueOf: (bar) => distance.of(bar.distance),
      tick: (value) => `${Number(value.toFixed(1)).toLocaleString('en-US')} ${distance.unit}`,
    },
    time: {
      label: 'Moving time',
      valueOf: (bar) => bar.time / 3600,
      tick: (hours) => `${Number(hours.toFixed(1))} h`,
    },
  }
}

/** Describes a bar as text. */
export function describeBar(bar: Bar, period: Period, { distance }: Units): string {
  const rides = `${formatCount(bar.rides)} ${bar.rides === 1 ? 'ride' : 'rides'}`
  return `${periodName(bar.start, period)}: ${distance.format(bar.distance)}, ${formatDuration(bar.time)}, ${rides}`
}

/** Describes the chart as text. */
export function summaryOf(bars: readonly Bar[], period: Period, { valueOf }: Measure, units: Units): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return 'No rides to chart.'
  const top = bars.reduce((best, bar) => (valueOf(bar) > valueOf(best) ? bar : best), first)
  if (first === last) return describeBar(first, period, units)
  return `Most in ${describeBar(top, period, units).replace('Week', 'the week')}`
}
