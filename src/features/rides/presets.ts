import type { Day } from '../../lib/days.ts'
import { addDays, periodOf } from './chart/periods.ts'
import { defaultFilters, type RideFilters } from './filters.ts'

type Range = Pick<RideFilters, 'from' | 'to'>

/** The choices of dates. */
export const PRESETS = [
  { value: 'days', label: 'Last 30 days' },
  { value: 'this-year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
  { value: 'all', label: 'All' },
] as const

export type Preset = (typeof PRESETS)[number]['value']

/** The dates of each preset. Like the default, ranges until today have no end. */
export function presetRanges(today: Day): Record<Preset, Range> {
  const { from, to } = defaultFilters(0)
  const thisYear = periodOf(today, 'year')
  const dayBefore = addDays(thisYear, -1)
  return {
    days: { from: addDays(today, -29), to: null },
    'this-year': { from: thisYear, to: null },
    'last-year': { from: periodOf(dayBefore, 'year'), to: dayBefore },
    all: { from, to },
  }
}

/** The preset with these dates; null for other dates. */
export function presetOf({ from, to }: Range, today: Day): Preset | null {
  const ranges = presetRanges(today)
  const match = PRESETS.find(({ value }) => ranges[value].from === from && ranges[value].to === to)
  return match?.value ?? null
}
