import { amountKind, optional, type TextKind } from '../../../lib/field-kinds.ts'
import { type Day, dayOf } from '../../../lib/days.ts'
import { counted, type Formats } from '../../../lib/formats.ts'
import { isWork, type Item } from '../../entries/fields.ts'

export const DETAILS_TITLE = 'Serial number, size, color…'

/** A price, or null if there is none. */
export const priceKind: TextKind<number | null> = optional({
  ...amountKind,
  parse(text, formats) {
    const parsed = amountKind.parse(text, formats)
    return 'value' in parsed && parsed.value < 0 ? { message: 'Enter a price of 0 or more.' } : parsed
  },
})

/** Returns the entries that a sale ends: those of the bike's parts, also of planned ones. */
export const soldWith = (log: readonly Item[], today: Day): Item[] =>
  log.filter((item) => !isWork(item) && (item.dateEnded === null || dayOf(item.dateEnded) > today))

/** Returns why the bike can't be sold on a day. */
export function problemOfDay(day: Day, items: readonly Item[], formats: Formats): string | undefined {
  const latest = items.toSorted((a, b) => b.dateStarted.localeCompare(a.dateStarted))[0]
  if (latest === undefined || dayOf(latest.dateStarted) <= day) return undefined
  return `“${latest.name}” starts on ${formats.day(dayOf(latest.dateStarted))}. Enter that day or a later one.`
}

/** Returns the whole years and months between two days: `4 years 7 months`, `1 year`, `under a month`. */
export function yearsBetween(from: Day, to: Day): string {
  const [[year, month, day], [endYear, endMonth, endDay]] = [from, to].map((one) =>
    one.split('-').map(Number),
  ) as [[number, number, number], [number, number, number]]
  const months = (endYear - year) * 12 + endMonth - month - (endDay < day ? 1 : 0)
  const parts = [
    ...(months >= 12 ? [counted(Math.floor(months / 12), 'year')] : []),
    ...(months % 12 > 0 ? [counted(months % 12, 'month')] : []),
  ]
  return parts.join(' ') || 'under a month'
}
