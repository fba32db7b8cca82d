import { dayOf } from '../../../lib/days.ts'
import type { Known } from '../../../lib/resource.ts'
import type { Waiting } from '../../../lib/waiting.ts'
import { edited } from '../../../lib/waiting-rows.ts'
import { compareTimes, type Item } from '../../entries/fields.ts'
import { partsChangeOf } from '../../entries/waiting-parts.ts'
import type { StoredPart } from './api.ts'

/** Applies the changes that wait to the parts in storage. */
export const applyToStored = (
  parts: StoredPart[],
  changes: readonly Waiting[],
  { today }: Pick<Known, 'today'>,
): StoredPart[] =>
  changes
    .reduce(afterChange, parts)
    .filter(({ stored_at }) => dayOf(stored_at) <= today)
    .toSorted((a, b) => compareTimes(b.stored_at, a.stored_at))

function afterChange(parts: StoredPart[], change: Waiting): StoredPart[] {
  const { moment, off, on, items } = partsChangeOf(change)
  const isOn = new Set(on.map(({ item }) => item.part_id))
  const known = new Set(parts.map(({ part_id }) => part_id))
  const stored = off
    .filter(({ ended_as }) => ended_as === 'stored')
    .flatMap(({ id }) => items.find((item) => item.id === id) ?? [])
    .filter(({ part_id }) => !known.has(part_id))
    .map((item) => storedPart(item, moment))
  return [...parts, ...stored]
    .filter(({ part_id }) => !isOn.has(part_id))
    .map((part) => {
      const { name, type } = edited('maintenance', { ...part, id: part.item_id }, [change])
      return Object.assign({}, part, { name, type })
    })
}

const storedPart = ({ id, part_id, bikeId, type, name }: Item, stored_at: string): StoredPart => ({
  part_id,
  item_id: id,
  gear_id: bikeId,
  type,
  name,
  stored_at,
  cost: 0,
  days: 0,
  rides: 0,
  distance: 0,
  moving_time: 0,
  earlier_distance: null,
  earlier_moving_time: null,
  isUncounted: true,
})
