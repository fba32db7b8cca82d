import { addDays, type Day } from '../../../lib/days.ts'
import { type Formats, monthName } from '../../../lib/formats.ts'

export const PERIODS = ['week', 'month', 'year'] as const

export type Period = (typeof PERIODS)[number]

type WeekStart = Formats['settings']['week_start']

/** As `Date` counts the days of a week. */
const WEEKDAYS: Record<WeekStart, number> = { Sunday: 0, Monday: 1, Saturday: 6 }

export const yearStart = (day: Day) => `${day.slice(0, 4)}-01-01` as Day

const monthStart = (day: Day) => `${day.slice(0, 7)}-01` as Day

/** Returns the first day of the week, month or year that contains a day. */
export function periodOf(day: Day, period: Period, weekStart: WeekStart): Day {
  if (period === 'year') return yearStart(day)
  if (period === 'month') return monthStart(day)
  return addDays(day, -((utc(day).getUTCDay() - WEEKDAYS[weekStart] + 7) % 7))
}

export function nextPeriod(start: Day, period: Period): Day {
  if (period === 'week') return addDays(start, 7)
  // The first of a month plus 32 days is always in the next month, and January 1 plus 366 days in the next year.
  return period === 'month' ? monthStart(addDays(start, 32)) : yearStart(addDays(start, 366))
}

export function lastDay(start: Day, period: Period): Day {
  return addDays(nextPeriod(start, period), -1)
}

export function periodName(start: Day, period: Period, { longDay }: Formats): string {
  const year = start.slice(0, 4)
  if (period === 'year') return year
  if (period === 'month') return `${monthName(start)} ${year}`
  return `Week of ${longDay(start)}`
}

export function daysBetween(first: Day, last: Day): number {
  return Math.round((utc(last).getTime() - utc(first).getTime()) / 86_400_000)
}

// In UTC, every day has 24 hours.
function utc(day: Day): Date {
  return new Date(`${day}T00:00:00Z`)
}
