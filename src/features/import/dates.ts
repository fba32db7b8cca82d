import { type Day, parseDay, withoutTime } from '../../lib/days.ts'
import type { Settings } from '../../lib/settings.ts'
import type { Line } from './csv-file.ts'

type Order = Settings['dates']

/** A date of the file, and the day that it means in each order that fits the file. */
type Question = { text: string; options: readonly { order: Order; day: Day }[] }

/** The order in which a file's dates are read. `question` is null if they fit no other order. */
export type Dates = { order: Order; question: Question | null }

/**
 * Returns the order of a file's dates: the owner's answer, else the owner's own. Asks if all dates exist in another order,
 * too, such as 03/04/2026. ISO days mean the same in every order.
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
  const example = dates.find(({ days }) => !days.includes(null)) ?? dates[0]
  const isSure = example === undefined || fitting.every((order) => order === own)
  const options = fitting.map((order) => ({ order, day: example?.days[orders.indexOf(order)] as Day }))
  return { order: answer ?? own, question: isSure ? null : { text: example.text, options } }
}
