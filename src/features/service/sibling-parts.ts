import { atom } from 'jotai'

import { POSITIONS } from '../../../supabase/functions/_shared/kinds.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import type { Bike } from '../bikes/api.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { type Item, phaseOf } from '../entries/fields.ts'
import { allItemsAtom } from '../entries/log.ts'

type Ridden = Pick<Bike, 'gear_id' | 'is_retired'>

/** Returns the entries of the parts of a part's kind that are on bikes, itself included: those of its bike first. Empty if its kind is unknown. */
export function siblingsOf(
  partId: number,
  items: readonly Item[],
  bikes: readonly Ridden[],
  today: Day,
): Item[] {
  const inUse = items.filter((item) => phaseOf(item, today) === 'in-use')
  const own = inUse.find(({ part_id }) => part_id === partId)
  const { kind = null, bikeId } = own ?? {}
  if (kind === null) return []
  const ridden = bikes.filter(({ is_retired }) => !is_retired).map(({ gear_id }) => gear_id)
  const order = [bikeId, ...ridden.filter((id) => id !== bikeId)]
  const placeOf = (item: Item) => order.indexOf(item.bikeId) * POSITIONS.length + endOf(item)
  return inUse
    .filter((item) => item.kind === kind && order.includes(item.bikeId))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Returns the ids of the siblings that are chosen. A draft may name parts that have come off since. */
export const chosenOf = (siblings: readonly Item[], chosen: readonly number[]): number[] =>
  siblings.map(({ part_id }) => part_id).filter((id) => chosen.includes(id))

const endOf = ({ position }: Item) => (position === null ? 0 : POSITIONS.indexOf(position))

/** The parts for which a new task of a part may be added, too. */
export const siblingsAtom = weakFamily((partId: number) =>
  atom((get) => {
    const [items, bikes] = [get(allItemsAtom), get(bikesAtom)]
    return items.state === 'ready' && bikes.state === 'ready'
      ? siblingsOf(partId, items.data, bikes.data, get(todayAtom))
      : []
  }),
)
