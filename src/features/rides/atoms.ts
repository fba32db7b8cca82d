import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { atomWithRefresh, selectAtom } from 'jotai/utils'

import { backendAtom } from '../../lib/backend.ts'
import { forgottenAtom, type Resource, resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { gearNamesAtom } from './gears.ts'
import { type Gear, readRides, type Rides } from './api.ts'
import { effectiveFiltersAtom, sortAtom } from './filter-atoms.ts'
import { isWithin } from './filters.ts'
import { type RideRow, toRows } from './rows.ts'
import { matcher } from './search.ts'
import { readSort, sortRows } from './sort.ts'
import { type RideTotals, totalsOf } from './totals.ts'

/** The requests for a gear's rides, on their way or answered. */
const readingAtom = atomFamily((gear: string) =>
  atomWithRefresh((get, { signal }) => {
    get(ridesChangedAtom)
    get(forgottenAtom)
    const which: Gear =
      gear === 'all' ? gear : gear === 'none' ? { noneOf: [...get(gearNamesAtom).keys()] } : Number(gear)
    return readRides(get(backendAtom).client, which, signal)
  }),
)

const firstRidesAtom = atomFamily((gear: string) => resourceAtom((get) => get(readingAtom(gear)).first))
const allRidesAtom = atomFamily((gear: string) => resourceAtom((get) => get(readingAtom(gear)).all))

/** The rides of a gear: all of them, or while they are on their way those that came first. */
const ridesAtom = atomFamily((gear: string) =>
  atom((get): Resource<Rides> => {
    const [all, first] = [get(allRidesAtom(gear)), get(firstRidesAtom(gear))]
    return all.state === 'loading' && first.state === 'ready' ? { ...first, updating: true } : all
  }),
)

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

const gearAtom = selectAtom(effectiveFiltersAtom, ({ gear }) => gear)

// Sorted before they are filtered: what is typed into the search never sorts anything.
const sortedRowsAtom = atom((get): Resource<Rows> => {
  const rows = get(rowsAtom(get(gearAtom)))
  if (rows.state !== 'ready') return rows
  const sort = readSort(get(sortAtom))
  return { ...rows, data: { ...rows.data, rows: sortRows(rows.data.rows, sort) } }
})

export type ShownRides = {
  /** The rides that the filters let through, in the chosen order. */
  rows: RideRow[]
  totals: RideTotals
  /** How many rides of the gear there are, and how many of them have been read so far. */
  total: number
  read: number
}

export const shownRidesAtom = atom((get): Resource<ShownRides> => {
  const rides = get(sortedRowsAtom)
  if (rides.state !== 'ready') return rides
  const filters = get(effectiveFiltersAtom)
  const matches = matcher(filters.search)
  const { rows: all, total } = rides.data
  const rows = all.filter((ride) => isWithin(ride.started_at, filters) && matches(ride.foldedName))
  return { ...rides, data: { rows, totals: totalsOf(rows), total, read: all.length } }
})

/** Reads the rides of the chosen gear again. */
export const rereadRidesAtom = atom(null, (get, set) => set(readingAtom(get(gearAtom))))
