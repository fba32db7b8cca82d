import type { Spending } from '../../../supabase/functions/spending/contract.ts'
import { addAmounts } from '../../lib/amount.ts'
import type { CsvValue } from '../../lib/csv.ts'
import { toCsv } from '../../lib/csv.ts'
import { roundUp } from '../../lib/scale.ts'

export type Month = Spending['months'][number]
export type Period = 'year' | 'month'

/** `costs` is in the order of `keys`. */
export type Column = { start: string; costs: number[]; total: number }

// A chart with more months wouldn't fit on the screen.
const MONTHS = 24

/** Returns a column for every year from the first to the last, or for each of the last 24 months. */
export function columnsOf(
  months: readonly Month[],
  period: Period,
  keys: readonly string[],
  keyOf: (month: Month) => string,
  today: string,
): Column[] {
  const startOf = ({ month }: Month) => (period === 'year' ? month.slice(0, 4) : month)
  const byStart = Map.groupBy(months, startOf)
  return startsOf([...byStart.keys()], period, today).map((start) => {
    const own = byStart.get(start) ?? []
    const costs = keys.map((key) =>
      addAmounts(own.filter((one) => keyOf(one) === key).map(({ cost }) => cost)),
    )
    return { start, costs, total: addAmounts(own.map(({ cost }) => cost)) }
  })
}

function startsOf(known: readonly string[], period: Period, today: string): string[] {
  const last = [today.slice(0, period === 'year' ? 4 : 7), ...known].toSorted().at(-1)!
  if (period === 'year') {
    const first = Math.min(Number(last), ...known.map(Number))
    return Array.from({ length: Number(last) - first + 1 }, (_, n) => String(first + n))
  }
  const index = Number(last.slice(0, 4)) * 12 + Number(last.slice(5)) - 1
  return Array.from({ length: MONTHS }, (_, n) => {
    const month = index - MONTHS + 1 + n
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/** Returns a column without the costs of hidden keys. */
export function withoutKeys({ start, costs }: Column, isHidden: (index: number) => boolean): Column {
  const shown = costs.map((cost, index) => (isHidden(index) ? 0 : cost))
  return { start, costs: shown, total: addAmounts(shown) }
}

/** A bar this many times as long as the next one would flatten the others. */
const OUTLIER = 2
/** At most this many bars are cut off. */
const MAX_CUT = 2

/** The length of the bar of costs. Refunds have none. */
export const lengthOf = ({ costs }: Column): number => costs.reduce((sum, cost) => sum + Math.max(0, cost), 0)

/** Returns the cost at the top of the axis. Bars that are far longer than the others, such as a year with a new frame, don't fit. */
export function topOf(columns: readonly Column[]): number {
  const lengths = columns.map(lengthOf).toSorted((a, b) => b - a)
  const cut = Array.from({ length: MAX_CUT }, (_, n) => n + 1).find((count) => {
    const next = lengths[count] ?? 0
    return next > 0 && 2 * count < lengths.length && lengths[count - 1]! > OUTLIER * next
  })
  return roundUp(lengths[cut ?? 0] ?? 0)
}

/** The share of the axis that a bar fills which doesn't fit, so that its cost fits above it. */
const CUT_SHARE = 0.88
const BREAK_SHARE = 0.04

type Part = { index: number; share: number; isBreak?: boolean }

/** Returns the parts of a bar, as shares of the axis. The longest part of a bar that doesn't fit is shortened, and broken in two. */
export function partsOf(column: Column, top: number): { parts: Part[]; isCut: boolean } {
  const parts = column.costs.map((cost, index): Part => ({ index, share: Math.max(0, cost) / top }))
  const excess = lengthOf(column) / top - CUT_SHARE
  const longest = parts.reduce((most, part) => (part.share > most.share ? part : most), parts[0]!)
  const left = longest ? longest.share - excess - BREAK_SHARE : 0
  if (lengthOf(column) <= top || left <= 0) return { parts, isCut: false }
  const { index } = longest
  const broken = [
    { index, share: left / 2 },
    { index, share: BREAK_SHARE, isBreak: true },
    { index, share: left / 2 },
  ]
  return { parts: parts.flatMap((part) => (part === longest ? broken : [part])), isCut: true }
}

export function spendingToCsv(
  months: readonly Month[],
  currency: string,
  bikeName: (gearId: number) => string,
): string {
  return toCsv(
    ['Month', 'Bike', 'Type', `Cost (${currency})`],
    months.map(({ month, gear_id, type, cost }): CsvValue[] => [month, bikeName(gear_id), type, cost]),
  )
}
