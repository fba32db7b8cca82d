import { type Day, dayOf, formatDay } from '../../../lib/days.ts'
import type { Item } from '../../items/fields.ts'
import type { Service } from './layout.ts'

/** Returns why a part ended, or undefined for the usual reason, worn. */
export const reasonOf = ({ ended_as }: Item) => (ended_as === 'worn' ? undefined : (ended_as ?? undefined))

/** `03/01/2024 – 05/02/2025`, or `– today` while in use. */
export function datesOf({ dateStarted, dateEnded }: Item, today: Day): string {
  const start = dayOf(dateStarted)
  if (dateEnded === null) return start > today ? `from ${formatDay(start)}` : `${formatDay(start)} – today`
  return `${formatDay(start)} – ${formatDay(dayOf(dateEnded))}`
}

/** `Chain, 03/01/2024 – 05/02/2025, 2,412.3 mi` */
export const labelOf = (item: Item, today: Day, miles: string) =>
  `${item.name}, ${datesOf(item, today)}, ${miles}`

/** `Wax, KMC chain, 03/01/2024`, or `3 services, 03/01/2024 – 03/20/2024` */
export function marksLabel(cluster: readonly Service[]): string {
  const [first, last] = [cluster[0]!, cluster.at(-1)!]
  if (cluster.length === 1) return `${first.name}, ${formatDay(first.day)}`
  const days = first.day === last.day ? '' : ` – ${formatDay(last.day)}`
  return `${cluster.length} services, ${formatDay(first.day)}${days}`
}
