/**
 * Days of the owner's wall clock. They are text from end to end: a `Date` made from text would go through UTC and
 * shift the day in half of the world.
 */

/** `YYYY-MM-DD`. */
export type Day = `${string}-${string}-${string}`

const TYPED_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** Reads `MM/DD/YYYY` (also `M/D/YYYY`); null when that is not a day of the calendar. */
export function parseDay(text: string): Day | null {
  const match = TYPED_DAY.exec(text.trim())
  if (!match) return null
  const [month, day, year] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  return toDay(year, month, day)
}

/** Shows a day as `MM/DD/YYYY`. */
export function formatDay(day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${month}/${date}/${year}`
}

/** The day of a timestamp without zone, as PostgreSQL or PostgREST write it. */
export function dayOf(timestamp: string): Day {
  return timestamp.slice(0, 10) as Day
}

/** What is written for a day: 01:00 is the hour that the log has always used. */
export function timestampOf(day: Day): string {
  return `${day} 01:00:00`
}

/** The day that a clock on the owner's wall shows. */
export function today(now = new Date()): Day {
  return toDay(now.getFullYear(), now.getMonth() + 1, now.getDate())
}

/** A `Date` for pickers alone: noon, so that no change of the clock can move it to another day. */
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
