import { counted, type Formats } from '../../lib/formats.ts'
import { dayOf } from '../../lib/days.ts'
import type { Explanation, Task } from './api.ts'

type Unit = { name: string; days: number }

const DAY_MS = 86_400_000
const YEAR = 365

function unitFor(days: number): Unit {
  if (days < 14) return { name: 'day', days: 1 }
  return days < 90 ? { name: 'week', days: 7 } : { name: 'month', days: YEAR / 12 }
}

/**
 * Describes when a task will likely be due: `about 5 weeks, within 11 weeks`, `about 5 weeks` (no range), an exact date
 * if days decide, `next ride or two`, `resting`, `over a year`. Empty if the task is already due or not installed.
 */
export function formatLikely(
  task: Pick<Task, 'state' | 'fraction' | 'forecast' | 'forecast_note' | 'is_next_ride'>,
  today: string,
  formats: Formats,
): string {
  const { forecast, forecast_note } = task
  if (task.state === 'paused' || task.fraction >= 1) return ''
  if (forecast_note === 'over_a_year') return 'over a year'
  if (!forecast) return forecast_note === 'resting' ? 'resting' : ''
  if (task.is_next_ride) return 'next ride or two'
  const { early, likely, late } = forecast
  if (forecast_note === 'resting' || isExact(task)) return formats.day(dayOf(likely))
  const daysUntil = (day: string) => Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  const unit = unitFor(daysUntil(likely))
  const text = `about ${inUnit(daysUntil(likely), unit)}`
  if (early === null) return text
  if (late === null) return `${text}, maybe over two years`
  if (daysUntil(late) > YEAR) return `${text}, maybe over a year`
  return `${text}, within ${counted(Math.ceil(daysUntil(late) / unit.days), unit.name)}`
}

/** Returns whether a forecast is an exact date, because it depends on days instead of rides. */
export function isExact({ forecast }: Pick<Task, 'forecast'>): boolean {
  return forecast !== null && forecast.early === forecast.likely && forecast.late === forecast.likely
}

/** Formats a range in the unit that suits `likely`: `2–11 weeks`. Rounds outward, so the range is never empty. */
export function formatSpan({ early, likely, late }: Explanation['range']): string {
  const unit = unitFor(likely)
  const count = Math.floor(early / unit.days)
  const first = count === 0 ? '<1' : String(count)
  if (late === null) return `${first} ${count > 1 ? `${unit.name}s` : unit.name} to over two years`
  return `${first}–${Math.ceil(Math.min(late, YEAR) / unit.days)}${late > YEAR ? '+' : ''} ${unit.name}s`
}

export function formatDays(days: number): string {
  return inUnit(days, unitFor(days))
}

function inUnit(days: number, { name, days: length }: Unit): string {
  return counted(Math.round(days / length), name)
}
