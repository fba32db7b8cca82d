import type { Day } from '../../../lib/days.ts'
import { formatCount, formatRiding, type Formats } from '../../../lib/formats.ts'
import type { RideFilters } from '../filters.ts'
import { lastDay } from '../chart/periods.ts'
import type { DoubtedRide } from '../../../../supabase/functions/_shared/contracts/data-api.ts'
import type { RideYears } from '../../../../supabase/functions/ride-years/contract.ts'

export type Sums = RideYears['total']

export const MONTHS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const

/** Returns the first and last day of a period such as `2026-05` or `2026`. */
export function rangeOf(period: string): { start: Day; end: Day } {
  const start = (period.length === 4 ? `${period}-01-01` : `${period}-01`) as Day
  return { start, end: lastDay(start, period.length === 4 ? 'year' : 'month') }
}

/** Returns the month or year that filters show. The current one has no end. */
export function chosenIn({ from, to }: Pick<RideFilters, 'from' | 'to'>, today: Day): string | null {
  const periods = [from.slice(0, 7), ...(from.endsWith('-01-01') ? [from.slice(0, 4)] : [])]
  const isShown = (period: string) => {
    const { start, end } = rangeOf(period)
    return start === from && (to === null ? today.startsWith(period) : to === end)
  }
  // In January, the year is shown by its month's end only.
  return periods.find(isShown) ?? null
}

/** Returns all years from the first with rides that aren't doubted until today's, newest first. */
export function yearsIn(
  { years, today }: RideYears,
  doubted: readonly Pick<DoubtedRide, 'started_at'>[],
): string[] {
  const inYear = (year: string) => doubted.filter(({ started_at }) => started_at.startsWith(year)).length
  const ridden = years.filter(({ year, rides }) => rides > inYear(year))
  const [newest, oldest] = [today.slice(0, 4), ...ridden.map(({ year }) => year)]
    .toSorted()
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .map(Number)
    .toReversed() as [number, number?]
  return Array.from({ length: newest - (oldest ?? newest) + 1 }, (_, n) => String(newest - n))
}

/** Returns the month before or after, such as `2026-01` and `2025-12`. */
export function monthBeside(month: string, step: 1 | -1): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + step
  return `${Math.floor(index / 12)}-${MONTHS[index % 12]}`
}

/** The same month or year, one year before. */
export const yearBefore = (period: string) => `${Number(period.slice(0, 4)) - 1}${period.slice(4)}`

type Quantity = {
  label: string
  unit: (formats: Formats) => string
  /** In the unit, for a cell of the table. */
  of: (stored: number, formats: Formats) => number
  format: (stored: number, formats: Formats) => string
}

/** What the table can show. */
export const QUANTITIES = {
  distance: {
    label: 'Distance',
    unit: ({ distance }) => distance.unit,
    of: (meters, { distance }) => distance.exact(meters),
    format: (meters, { distance }) => distance.formatWhole(meters),
  },
  moving_time: {
    label: 'Hours',
    unit: () => 'h',
    of: (seconds) => seconds / 3600,
    format: (seconds) => formatRiding(seconds),
  },
  elevation_gain: {
    label: 'Climbing',
    unit: ({ elevation }) => elevation.unit,
    of: (meters, { elevation }) => elevation.exact(meters),
    format: (meters, { elevation }) => elevation.formatWhole(meters),
  },
} as const satisfies Record<string, Quantity>

export type QuantityKey = keyof typeof QUANTITIES

/** Compares two amounts: `641 mi more`, `12 mi less` or `the same`. */
export function compare(now: number, before: number, key: QuantityKey, formats: Formats): string {
  const { of, unit }: Quantity = QUANTITIES[key]
  const difference = Math.round(of(now, formats)) - Math.round(of(before, formats))
  if (difference === 0) return 'the same'
  return `${formatCount(Math.abs(difference))} ${unit(formats)} ${difference > 0 ? 'more' : 'less'}`
}
