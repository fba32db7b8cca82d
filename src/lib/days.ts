import { addDays, type Day, localDay, parseDay as parseDayIn } from '../../supabase/functions/_shared/days.ts'

export { addDays, type Day, isFinal } from '../../supabase/functions/_shared/days.ts'

export const ENTER_A_DATE = 'Enter a date as MM/DD/YYYY.'

export const parseDay = (text: string) => parseDayIn(text, 'MM/DD/YYYY')

/** Formats a day as `MM/DD/YYYY`. */
export function formatDay(day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${month}/${date}/${year}`
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** Formats a day as `Nov 18`, or `Sep 28, 2025` if it is in another year. */
export function formatShortDay(day: Day, now: Day = today()): string {
  const [year = '', , date = ''] = day.split('-')
  const short = `${months.format(Date.parse(day))} ${Number(date)}`
  return year === now.slice(0, 4) ? short : `${short}, ${year}`
}

/** Formats a day as `today`, `yesterday` or a short day. */
export function formatRecentDay(day: Day, now: Day): string {
  if (day === now) return 'today'
  return day === addDays(now, -1) ? 'yesterday' : formatShortDay(day, now)
}

/** Returns the day of a `timestamp` from PostgreSQL or PostgREST. */
export function dayOf(timestamp: string): Day {
  return timestamp.slice(0, 10) as Day
}

/** Returns the timestamp that the log stores for a day, at 01:00. */
export function timestampOf(day: Day): string {
  return `${day} 01:00:00`
}

/** Returns today in the browser's time zone. */
export function today(now = new Date()): Day {
  return localDay(now)
}

/** Returns a `Date` for date pickers, at noon so daylight saving time can't shift the day. */
export function pickerDate(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}
