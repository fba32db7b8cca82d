import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

import { bikesAtom } from '../bikes'

const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** The bikes' names by gear_id; the same map for as long as they say the same, so that nothing is read again for them. */
export const gearNamesAtom = selectAtom(
  bikesAtom,
  (bikes): ReadonlyMap<number, string> =>
    bikes.state === 'ready' ? new Map(bikes.data.map((bike) => [bike.gear_id, bike.name])) : NO_NAMES,
  (a, b) => a.size === b.size && [...a].every(([gearId, name]) => b.get(gearId) === name),
)

/** The choices of the Gear filter, by value. */
export const gearChoicesAtom = atom((get) => [
  ...[...get(gearNamesAtom)].map(([gearId, name]) => ({ value: String(gearId), label: name })),
  { value: 'all', label: 'All rides' },
  { value: 'none', label: 'No or unknown gear' },
])
