import type { Bar } from './bars.ts'
import { monthName, type Period } from './periods.ts'

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
