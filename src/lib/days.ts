import type { Day } from '../../supabase/functions/_shared/formats/days.ts'

export {
  addDays,
  dayOf,
  type Day,
  FIRST_YEAR,
  isDay,
  isFinal,
  isLogDay,
  LAST_YEAR,
  localDay,
  parseDay,
  WRONG_YEAR,
} from '../../supabase/functions/_shared/formats/days.ts'

/** Returns the timestamp that the log stores for a day, at 01:00. */
export function timestampOf(day: Day): string {
  return `${day} 01:00:00`
}

/** Returns a `Date` for date pickers, at noon so daylight saving time can't shift the day. */
export function pickerDate(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

/** Removes the time of day that a spreadsheet may have added to a day. */
export const withoutTime = (text: string): string =>
  text.trim().replace(/[T ]\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M|Z|[+-]\d\d:?\d\d)?$/i, '')
