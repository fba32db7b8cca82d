import { type Day, dayOf } from '../../../lib/days.ts'
import type { Formats } from '../../../lib/formats.ts'
import type { Item } from '../../entries/fields.ts'
import type { Service } from './layout.ts'

/** Returns why a part ended, or undefined for the usual reason, worn. */
export const reasonOf = ({ ended_as }: Item) => (ended_as === 'worn' ? undefined : (ended_as ?? undefined))

/** `03/01/2024 – 05/02/2025`, or `– today` while in use. */
export function datesOf({ dateStarted, dateEnded }: Item, today: Day, formats: Formats): string {
  const start = dayOf(dateStarted)
  if (dateEnded === null)
    return start > today ? `from ${formats.day(start)}` : `${formats.day(start)} – today`
  return `${formats.day(start)} – ${formats.day(dayOf(dateEnded))}`
}

/** `Chain, 03/01/2024 – 05/02/2025, 2,412.3 mi` */
export const labelOf = (item: Item, today: Day, meters: number | undefined, formats: Formats) =>
  `${item.name}, ${datesOf(item, today, formats)}, ${formats.distance.format(meters)}`

/** `Wax, KMC chain, 03/01/2024`, or `3 services, 03/01/2024 – 03/20/2024` */
export function marksLabel(cluster: readonly Service[], formats: Formats): string {
  const [first, last] = [cluster[0]!, cluster.at(-1)!]
  if (cluster.length === 1) return `${first.name}, ${formats.day(first.day)}`
  const days = first.day === last.day ? '' : ` – ${formats.day(last.day)}`
  return `${cluster.length} services, ${formats.day(first.day)}${days}`
}
