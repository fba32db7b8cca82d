import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

import { bikesAtom } from '../bikes'

const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** Bike names by gear_id. The map only changes when a name does, so rides are not read again for nothing. */
export const gearNamesAtom = selectAtom(
  bikesAtom,
  (bikes): ReadonlyMap<number, string> =>
    bikes.state === 'ready' ? new Map(bikes.data.map((bike) => [bike.gear_id, bike.name])) : NO_NAMES,
  (a, b) => a.size === b.size && [...a].every(([gearId, name]) => b.get(gearId) === name),
)

/** The options of the Gear filter. */
export const gearChoicesAtom = atom((get) => [
  ...[...get(gearNamesAtom)].map(([gearId, name]) => ({ value: String(gearId), label: name })),
  { value: 'all', label: 'All rides' },
  { value: 'none', label: 'No or unknown gear' },
])
