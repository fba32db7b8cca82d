import type { Bar } from './bars.ts'
import { monthName, type Period } from './periods.ts'

// Half of each is also a short number, for the middle axis label.
const ROUND = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]

/** The smallest round number that is not below `value`, for the top of the axis; 1 if `value` is 0. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = ROUND.find((step) => value <= step * power) ?? 10
  return step * power
}

/** With more bars, only years fit on the axis. */
const MANY = 14

/** The axis label of a bar; null for most. */
export function tickOf({ start }: Bar, index: number, count: number, period: Period): string | null {
  const year = start.slice(0, 4)
  if (period === 'year') return index % Math.ceil(count / MANY) === 0 ? year : null
  if (period === 'week' && count <= MANY) return `${monthName(start)} ${Number(start.slice(8))}`
  const isFirstOfMonth = period === 'month' || Number(start.slice(8)) <= 7
  if (!isFirstOfMonth) return null
  const isJanuary = start.slice(5, 7) === '01'
  if (isJanuary) return year
  if (period === 'month' && count > MANY) return null
  return period === 'week' && count > 53 ? null : monthName(start)
}
