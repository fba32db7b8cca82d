import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { today } from '../../lib/days.ts'
import { type Resource, resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { bikesAtom, selectedBikeAtom } from '../bikes'
import { type Gear, readRides } from './api.ts'
import { isWithin, readFilters, type RideFilters } from './filters.ts'
import { type RideRow, toRows } from './rows.ts'
import { totalsOf } from './totals.ts'

const gearNamesAtom = atom((get) => {
  const bikes = get(bikesAtom)
  return new Map(bikes.state === 'ready' ? bikes.data.map((bike) => [bike.gear_id, bike.name]) : [])
})

const ridesAtom = atomFamily((gear: string) =>
  resourceAtom((get, { signal }) => {
    get(ridesChangedAtom)
    return readRides(get(backendAtom).client, toGear(gear, get(gearNamesAtom)), signal)
  }),
)

function toGear(gear: string, known: ReadonlyMap<number, string>): Gear {
  if (gear === 'all') return 'all'
  return gear === 'none' ? { noneOf: [...known.keys()] } : Number(gear)
}

/** The filters that the address holds. */
export const rideFiltersAtom = atom((get) =>
  readFilters(get(addressAtom), get(selectedBikeAtom)?.gear_id ?? 0, today()),
)

/** Changes some of the filters. */
export const filterRidesAtom = atom(null, (_get, set, changes: Partial<RideFilters>) =>
  set(addressAtom, { set: changes, by: 'replace' }),
)

/** The choices of the Gear filter, by value. */
export const gearChoicesAtom = atom((get) => [
  ...[...get(gearNamesAtom)].map(([gearId, name]) => ({ value: String(gearId), label: name })),
  { value: 'all', label: 'All rides' },
  { value: 'none', label: 'No or unknown gear' },
])

type ShownRides = { rows: RideRow[]; totals: ReturnType<typeof totalsOf> }

/** Names are put in order once for all rides of the gear, not again for each change of the dates. */
const rowsAtom = atomFamily((gear: string) =>
  atom((get): Resource<RideRow[]> => {
    const rides = get(ridesAtom(gear))
    return rides.state === 'ready' ? { ...rides, data: toRows(rides.data, get(gearNamesAtom)) } : rides
  }),
)

/** The rides that the filters let through, with their totals. */
export const shownRidesAtom = atom((get): Resource<ShownRides> => {
  const filters = get(rideFiltersAtom)
  const rides = get(rowsAtom(filters.gear))
  if (rides.state !== 'ready') return rides
  const rows = rides.data.filter((ride) => isWithin(ride.started_at, filters))
  return { ...rides, data: { rows, totals: totalsOf(rows) } }
})

/** Reads the rides of the chosen gear again. */
export const rereadRidesAtom = atom(null, (get, set) => set(ridesAtom(get(rideFiltersAtom).gear)))
