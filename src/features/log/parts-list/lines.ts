import type { Timeline } from '../../../../supabase/functions/maintenance-use/contract.ts'
import type { Day } from '../../../lib/days.ts'
import { isWork, type Item, phaseOf } from '../../entries/fields.ts'

type Service = Timeline['services'][number]

/** The services of one name on a part or on the bike. */
export type Done = { name: string; count: number; last: Day; paid: Item[] }

/** A line of the list: an entry with what was done on it, or what was done on the bike itself. */
export type Line = { item: Item; done: Done[] } | { item: null; done: [Done] }

export type Group = { heading: string; lines: Line[] }

/** Groups a bike's entries by phase. With services, work and the bike's services have a group of their own. */
export function groupsOf(items: readonly Item[], services: readonly Service[] | null, today: Day): Group[] {
  const paid = new Set(services?.map(({ paid_item_id }) => paid_item_id))
  const doneOn = doneByItem(items, services ?? [])
  const lineOf = (item: Item): Line => ({ item, done: doneOn.get(item.id) ?? [] })
  const listed = items.filter(({ id }) => !paid.has(id))
  const [work, parts] = services
    ? [listed.filter(isWork), listed.filter((one) => !isWork(one))]
    : [[], listed]
  const phases = Map.groupBy(parts, (item) => phaseOf(item, today))
  const ofBike = (doneOn.get(null) ?? []).map((done): Line => ({ item: null, done: [done] }))
  return [
    { heading: 'In use', lines: (phases.get('in-use') ?? []).map(lineOf) },
    { heading: 'Planned', lines: (phases.get('planned') ?? []).map(lineOf) },
    { heading: 'Service', lines: [...ofBike, ...work.map(lineOf)] },
    { heading: 'Ended', lines: (phases.get('ended') ?? []).map(lineOf) },
  ].filter(({ lines }) => lines.length > 0)
}

function doneByItem(items: readonly Item[], services: readonly Service[]): Map<number | null, Done[]> {
  const costs = new Map(items.map((item) => [item.id, item]))
  return new Map(
    Array.from(
      Map.groupBy(services, ({ item_id }) => item_id),
      ([id, events]) => [
        id,
        Array.from(
          Map.groupBy(events, ({ name }) => name),
          ([name, same]) => ({
            name,
            count: same.length,
            // Services are oldest first.
            last: same.at(-1)!.day,
            paid: same.flatMap(({ paid_item_id }) => costs.get(paid_item_id ?? 0) ?? []),
          }),
        ),
      ],
    ),
  )
}

/** The entries whose cost a line has. */
export const paidIn = ({ item, done }: Line): Item[] => [
  ...(item ? [item] : []),
  ...done.flatMap(({ paid }) => paid),
]
