import { atom } from 'jotai'
import { atomWithRefresh, selectAtom } from 'jotai/utils'

import { backendAtom } from '../../lib/backend.ts'
import { isOfflineAtom, tryAgain } from '../../lib/connection.ts'
import { repeatWhenTouched, type Resource, resourceAtom, resourceGenerationAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { matcher } from '../../lib/search.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { counts } from '../entries/counts-for.ts'
import { type Gear, readRides, type Rides } from './api.ts'
import { drillDownAtom, drillDownFilter, usageTotals } from './drill-down.ts'
import {
  chosenSortAtom,
  effectiveFiltersAtom,
  gearNamesAtom,
  includesFutureAtom,
  isWithin,
  rideIdsAtom,
} from './filters.ts'
import { type RideRow, toRows } from './rows.ts'
import { sortRows } from './sort.ts'
import { type RideTotals, totalsOf } from './totals.ts'

const requestsAtom = weakFamily((gear: string) =>
  atomWithRefresh((get, { signal }) => {
    get(resourceGenerationAtom)
    repeatWhenTouched(get, ['rides'])
    get(isOfflineAtom)
    const which: Gear =
      gear === 'all'
        ? gear
        : gear === 'none'
          ? { noneOf: [...get(gearNamesAtom).keys()] }
          : get(rideIdsAtom(gear)).split(',').map(Number)
    return readRides(get(backendAtom).client, which, signal)
  }),
)

// Not refetched on mount, because rides only change during a sync, which reloads them.
const firstRidesAtom = weakFamily((gear: string) =>
  resourceAtom({ reads: [], refetchOnMount: false }, (get) => get(requestsAtom(gear)).first),
)
const allRidesAtom = weakFamily((gear: string) =>
  resourceAtom(
    { reads: [], cacheAs: `rides/${gear}`, refetchOnMount: false },
    (get) => get(requestsAtom(gear)).all,
  ),
)

/** All of a gear's rides or, while they load, the first page. */
const ridesAtom = weakFamily((gear: string) =>
  atom((get): Resource<Rides> => {
    const [all, first] = [get(allRidesAtom(gear)), get(firstRidesAtom(gear))]
    return all.state === 'loading' && first.state === 'ready' ? { ...first, updating: true } : all
  }),
)

/**
 * Reads what the list shows once it is known which IDs its rides may have. Resolves as soon as it has begun, because the answer is
 * large: the rest of the page needn't wait for it.
 */
export const readFirstRidesAtom = atom(null, async (get, set) => {
  await set(bikesAtom.readAtom)
  void set(firstRidesAtom(get(gearAtom)).readAtom)
})

export const loadRidesAtom = atom(null, (get, _set, gearId: number) => void get(ridesAtom(String(gearId))))

type Rows = { rows: RideRow[]; total: number }

/** Ranks names once for all of the gear's rides, instead of each time a filter changes. */
const rowsAtom = weakFamily((gear: string) =>
  atom((get): Resource<Rows> => {
    const rides = get(ridesAtom(gear))
    if (rides.state !== 'ready') return rides
    const { data } = rides
    return { ...rides, data: { rows: toRows(data.rides, get(gearNamesAtom)), total: data.total } }
  }),
)

const filteredGearAtom = selectAtom(effectiveFiltersAtom, ({ gear }) => gear)

const gearAtom = atom((get) => {
  const drillDown = get(drillDownAtom)
  return drillDown.state === 'on' ? String(drillDown.bike.gear_id) : get(filteredGearAtom)
})

const gearRowsAtom = atom((get): Resource<Rows> => {
  const rides = get(rowsAtom(get(gearAtom)))
  if (rides.state !== 'ready' || get(includesFutureAtom)) return rides
  const now = Date.now()
  const rows = rides.data.rows.filter((ride) => counts(ride, now))
  const future = rides.data.rows.length - rows.length
  return { ...rides, data: { rows, total: rides.data.total - future } }
})

const filterAtom = atom((get) => {
  const drillDown = get(drillDownAtom)
  if (drillDown.state === 'on') return drillDownFilter(drillDown.item)
  const filters = get(effectiveFiltersAtom)
  const matches = matcher(filters.search)
  return (ride: RideRow) => isWithin(ride, filters) && matches(ride.foldedName)
})

// Sorted before filtering, so typing a search doesn't sort the rides again.
const sortedRowsAtom = atom((get): RideRow[] => {
  const rides = get(gearRowsAtom)
  return rides.state === 'ready' ? sortRows(rides.data.rows, get(chosenSortAtom)) : []
})

// Computed from unsorted rows, so a new order doesn't recompute the totals.
const matchingAtom = atom((get) => {
  const rides = get(gearRowsAtom)
  const matching = rides.state === 'ready' ? rides.data.rows.filter(get(filterAtom)) : []
  const isDrillDown = get(drillDownAtom).state === 'on'
  const now = Date.now()
  const future = get(includesFutureAtom) ? matching.filter((ride) => !counts(ride, now)).length : 0
  return { matching, future, totals: isDrillDown ? usageTotals(matching) : totalsOf(matching) }
})

export type ShownRides = {
  /** The matching rides in the chosen order. */
  rows: RideRow[]
  /** The matching rides, newest first. */
  matching: RideRow[]
  /** The number of matching rides in the future. */
  future: number
  totals: RideTotals
  /** The gear's number of rides, and how many have been read so far. */
  total: number
  read: number
}

export const shownRidesAtom = atom((get): Resource<ShownRides> => {
  const rides = get(gearRowsAtom)
  if (rides.state !== 'ready') return rides
  if (get(drillDownAtom).state === 'loading') return { state: 'loading' }
  const { rows: all, total } = rides.data
  const rows = get(sortedRowsAtom).filter(get(filterAtom))
  return { ...rides, data: { rows, ...get(matchingAtom), total, read: all.length } }
})

export const reloadRidesAtom = atom(null, (get, set) => {
  tryAgain()
  set(requestsAtom(get(gearAtom)))
})
