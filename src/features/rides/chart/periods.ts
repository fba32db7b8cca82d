import { addDays, type Day } from '../../../lib/days.ts'

export const PERIODS = ['week', 'month', 'year'] as const

export type Period = (typeof PERIODS)[number]

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the first day of the week (Monday), month or year that contains a day. */
export function periodOf(day: Day, period: Period): Day {
  if (period === 'year') return `${day.slice(0, 4)}-01-01` as Day
  if (period === 'month') return `${day.slice(0, 7)}-01` as Day
  const weekday = (utc(day).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

export function nextPeriod(start: Day, period: Period): Day {
  if (period === 'week') return addDays(start, 7)
  // The first of a month plus 32 days is always in the next month, and January 1 plus 366 days in the next year.
  return periodOf(addDays(start, period === 'month' ? 32 : 366), period)
}

export function lastDay(start: Day, period: Period): Day {
  return addDays(nextPeriod(start, period), -1)
}

export function periodName(start: Day, period: Period): string {
  const year = start.slice(0, 4)
  if (period === 'year') return year
  if (period === 'month') return `${monthName(start)} ${year}`
  return `Week of ${monthName(start)} ${Number(start.slice(8))}, ${year}`
}

export function monthName(day: Day): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? ''
}

export function daysBetween(first: Day, last: Day): number {
  return Math.round((utc(last).getTime() - utc(first).getTime()) / 86_400_000)
}

// In UTC, every day has 24 hours.
function utc(day: Day): Date {
  return new Date(`${day}T00:00:00Z`)
}
