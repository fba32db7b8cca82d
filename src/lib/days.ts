/** `YYYY-MM-DD`. Days are always strings, because parsing a day into a `Date` goes through UTC and can shift it. */
export type Day = `${string}-${string}-${string}`

// Numeric keyboards have no slash, so slashes are optional. Fewer than eight digits would be ambiguous.
const TYPED_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$|^(\d\d)(\d\d)(\d{4})$/

export const ENTER_A_DATE = 'Enter a date as MM/DD/YYYY.'

/** Parses `MM/DD/YYYY` (also `M/D/YYYY` and `MMDDYYYY`). Returns null if there is no such day. */
export function parseDay(text: string): Day | null {
  const match = TYPED_DAY.exec(text.trim())
  if (!match) return null
  const [month = 0, day = 0, year = 0] = match.slice(1).filter(Boolean).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  return toDay(year, month, day)
}

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
  return toDay(now.getFullYear(), now.getMonth() + 1, now.getDate())
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10) as Day
}

/** Returns a `Date` for date pickers, at noon so daylight saving time can't shift the day. */
export function pickerDate(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

function toDay(year: number, month: number, day: number): Day {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
