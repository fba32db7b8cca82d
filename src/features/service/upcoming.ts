import { addDays, type Day } from '../../lib/days.ts'
import { type Formats, fullMonthName, weekdayName } from '../../lib/formats.ts'
import type { Task } from './api.ts'
import { formatDays, isExact } from './likely-dates.ts'

type Dated = Pick<Task, 'state' | 'forecast' | 'forecast_note' | 'is_next_ride'> &
  Partial<Pick<Task, 'snoozed_until'>>

/** Returns the day on which a task will likely be due, or its snooze ends. Null: unknown. */
export const upcomingDay = ({ state, snoozed_until = null, forecast }: Dated): Day | null =>
  (state === 'snoozed' ? snoozed_until : null) ?? forecast?.likely ?? null

/** Compares days, the unknown ones last. */
export const compareDays = (a: Day | null, b: Day | null): number =>
  (a ?? LAST_DAY).localeCompare(b ?? LAST_DAY)

const LAST_DAY = '9999-12-31'

const WEEK = 7

/** Returns the heading for a day: `This week`, this or the next month, or `Later`. */
export function headingOf(day: Day | null, today: Day): string {
  if (day === null) return 'Later'
  if (day < addDays(today, WEEK)) return 'This week'
  const ahead = monthOf(day) - monthOf(today)
  return ahead < 2 ? fullMonthName(day) : 'Later'
}

const monthOf = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Returns whether a date is certain. */
export const isCertain = (task: Dated): boolean =>
  isExact(task) || (task.state === 'snoozed' && (task.snoozed_until ?? null) !== null)

/** Says when, certain or likely: `Sun, Nov 29`, `Dec 27`, `~3 weeks`, `next ride or two`. Empty if that is unknown. */
export function whenText(task: Dated, today: Day, formats: Formats): string {
  const day = upcomingDay(task)
  if (day === null)
    return { over_a_year: 'over a year', resting: 'resting' }[task.forecast_note as string] ?? ''
  if (isCertain(task)) {
    const date = formats.shortDay(day, today)
    return day < addDays(today, WEEK) ? `${weekdayName(day)}, ${date}` : date
  }
  return task.is_next_ride ? 'next ride or two' : `~${formatDays(daysBetween(today, day))}`
}

const daysBetween = (from: Day, to: Day) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
