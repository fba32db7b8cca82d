import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { atomWithRefresh, selectAtom } from 'jotai/utils'

import { backendAtom } from '../../lib/backend.ts'
import { isOfflineAtom, tryAgain } from '../../lib/connection.ts'
import { forgottenAtom, type Resource, resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { behindAtom, isBehind, usageTotals } from './behind.ts'
import { gearNamesAtom } from './gears.ts'
import { type Gear, readRides, type Rides } from './api.ts'
import { chosenSortAtom, effectiveFiltersAtom } from './filter-atoms.ts'
import { isWithin } from './filters.ts'
import { type RideRow, toRows } from './rows.ts'
import { matcher } from './search.ts'
import { sortRows } from './sort.ts'
import { type RideTotals, totalsOf } from './totals.ts'

/** The requests for a gear's rides, on their way or answered. */
const readingAtom = atomFamily((gear: string) =>
  atomWithRefresh((get, { signal }) => {
    get(ridesChangedAtom)
    get(forgottenAtom)
    get(isOfflineAtom)
    const which: Gear =
      gear === 'all' ? gear : gear === 'none' ? { noneOf: [...get(gearNamesAtom).keys()] } : Number(gear)
    return readRides(get(backendAtom).client, which, signal)
  }),
)

// Rides change with an update alone, after which the requests are made anew.
const firstRidesAtom = atomFamily((gear: string) =>
  resourceAtom((get) => get(readingAtom(gear)).first, { isLasting: true }),
)
const allRidesAtom = atomFamily((gear: string) =>
  resourceAtom((get) => get(readingAtom(gear)).all, { keptAs: `rides/${gear}`, isLasting: true }),
)

/** The rides of a gear: all of them, or while they are on their way those that came first. */
const ridesAtom = atomFamily((gear: string) =>
  atom((get): Resource<Rides> => {
    const [all, first] = [get(allRidesAtom(gear)), get(firstRidesAtom(gear))]
    return all.state === 'loading' && first.state === 'ready' ? { ...first, updating: true } : all
  }),
)

/** Loads the rides of a bike, without making them part of what is on the screen. */
export const loadRidesAtom = atom(null, (get, _set, gearId: number) => void get(ridesAtom(String(gearId))))

type Rows = { rows: RideRow[]; total: number }

/** Names are put in order once for all rides of the gear, not again for each change of the dates. */
const rowsAtom = atomFamily((gear: string) =>
  atom((get): Resource<Rows> => {
    const rides = get(ridesAtom(gear))
    if (rides.state !== 'ready') return rides
    const { data } = rides
    return { ...rides, data: { rows: toRows(data.rides, get(gearNamesAtom)), total: data.total } }
  }),
)

const filteredGearAtom = selectAtom(effectiveFiltersAtom, ({ gear }) => gear)

const gearAtom = atom((get) => {
  const behind = get(behindAtom)
  return behind.state === 'on' ? String(behind.bike.gear_id) : get(filteredGearAtom)
})

const gearRowsAtom = atom((get) => get(rowsAtom(get(gearAtom))))

/** Whether a ride is behind the number that the list is narrowed to or, where it is not, the filters let it through. */
const filterAtom = atom((get) => {
  const behind = get(behindAtom)
  if (behind.state === 'on') return isBehind(behind.part)
  const filters = get(effectiveFiltersAtom)
  const matches = matcher(filters.search)
  return (ride: RideRow) => isWithin(ride.started_at, filters) && matches(ride.foldedName)
})

// Sorted before they are filtered: what is typed into the search never sorts anything.
const sortedRowsAtom = atom((get): RideRow[] => {
  const rides = get(gearRowsAtom)
  return rides.state === 'ready' ? sortRows(rides.data.rows, get(chosenSortAtom)) : []
})

// Not of the sorted rows: another order has the same totals.
const matchingAtom = atom((get) => {
  const rides = get(gearRowsAtom)
  const matching = rides.state === 'ready' ? rides.data.rows.filter(get(filterAtom)) : []
  const isUsage = get(behindAtom).state === 'on'
  return { matching, totals: isUsage ? usageTotals(matching) : totalsOf(matching) }
})

export type ShownRides = {
  /** The rides that the filters let through, in the chosen order. */
  rows: RideRow[]
  /** The same rides, newest first whatever the order. */
  matching: RideRow[]
  totals: RideTotals
  /** How many rides of the gear there are, and how many of them have been read so far. */
  total: number
  read: number
}

export const shownRidesAtom = atom((get): Resource<ShownRides> => {
  const rides = get(gearRowsAtom)
  if (rides.state !== 'ready') return rides
  if (get(behindAtom).state === 'reading') return { state: 'loading' }
  const { rows: all, total } = rides.data
  const rows = get(sortedRowsAtom).filter(get(filterAtom))
  return { ...rides, data: { rows, ...get(matchingAtom), total, read: all.length } }
})

/** Reads the rides of the chosen gear again. */
export const rereadRidesAtom = atom(null, (get, set) => {
  tryAgain()
  set(readingAtom(get(gearAtom)))
})
