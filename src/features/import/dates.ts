import { type Day, parseDay, withoutTime } from '../../lib/days.ts'
import type { Settings } from '../../lib/settings.ts'
import type { Line } from './columns.ts'

type Order = Settings['dates']

/** A date of the file, and the day that it means in each order that fits the file. */
type Question = { text: string; options: readonly { order: Order; day: Day }[] }

/** The order in which a file's dates are read. `isOpen`: only the owner knows it, and hasn't answered yet. */
export type Dates = { order: Order; question: Question | null; isOpen: boolean }

/**
 * Returns the order of a file's dates: the only one that fits all of them, or the owner's answer. Asks if all dates exist in
 * two orders, such as 03/04/2026. ISO days mean the same in every order.
 */
export function datesOf(lines: readonly Line[], own: Order, answer: Order | null): Dates {
  const orders: Order[] = ['MM/DD/YYYY', own.startsWith('DD') ? own : 'DD/MM/YYYY']
  const dates = lines
    .flatMap((line) => ('cells' in line ? [line.cells.dateStarted, line.cells.dateEnded] : []))
    .map((cell = '') => withoutTime(cell))
    .filter((text) => own !== 'YYYY-MM-DD' || parseDay(text, own) === null)
    .map((text) => ({ text, days: orders.map((order) => parseDay(text, order)) }))
    .filter(({ days: [one, other] }) => one !== other)
  const fitting = orders.filter((_, index) => dates.every(({ days }) => days[index] !== null))
  const [example] = dates
  if (!example || fitting.length !== 2)
    return { order: answer ?? (example && fitting[0]) ?? own, question: null, isOpen: false }
  const options = orders.map((order, index) => ({ order, day: example.days[index]! }))
  return { order: answer ?? own, question: { text: example.text, options }, isOpen: answer === null }
}
