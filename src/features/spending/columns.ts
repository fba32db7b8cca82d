import type { Spending } from '../../../supabase/functions/spending/contract.ts'
import { addAmounts } from '../../lib/amount.ts'
import type { CsvValue } from '../../lib/csv.ts'
import { toCsv } from '../../lib/csv.ts'

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
