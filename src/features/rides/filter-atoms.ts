import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

import { addressAtom } from '../../lib/address.ts'
import { bikesAtom, selectedBikeAtom } from '../bikes'
import { defaultFilters, FILTERS, readFilters, type RideFilters, writeFilters } from './filters.ts'
import { DEFAULT_SORT, readSort, type Sort, writeSort } from './sort.ts'

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
  { value: 'none', label: 'No bike' },
])

const defaultsAtom = atom((get) => defaultFilters(get(selectedBikeAtom)?.gear_id ?? 0))

/** The filters in the address. The object only changes when a filter does. */
export const rideFiltersAtom = selectAtom(
  atom((get) => readFilters(get(addressAtom), get(defaultsAtom), [...get(gearNamesAtom).keys()])),
  (filters) => filters,
  (a, b) => FILTERS.every((name) => a[name] === b[name]),
)

/** The address after the last typing. While it is unchanged, more typing replaces the same history entry. */
const lastTypedAtom = atom({ fields: '', hash: '' })

/** Changes some filters. Each `choice` is a history entry; `typing` into one field is a single entry. */
export const filterRidesAtom = atom(
  null,
  (get, set, changes: Partial<RideFilters>, how: 'choice' | 'typing') => {
    const fields = Object.keys(changes).join()
    const last = get(lastTypedAtom)
    const isContinued = how === 'typing' && last.fields === fields && last.hash === window.location.hash
    // Filters end a drill-down, which would ignore them.
    const written = { ...writeFilters(changes, get(defaultsAtom)), use: null }
    set(addressAtom, { set: written, by: isContinued ? 'replace' : 'push' })
    set(lastTypedAtom, how === 'typing' ? { fields, hash: window.location.hash } : { fields: '', hash: '' })
  },
)

export const clearFiltersAtom = atom(null, (get, set) => {
  set(searchDraftBase, null)
  set(filterRidesAtom, get(defaultsAtom), 'choice')
})

/** The chosen option of the Gear filter. */
export const chosenGearAtom = atom((get) => {
  const { gear } = get(rideFiltersAtom)
  return get(gearChoicesAtom).find(({ value }) => value === gear) ?? { value: gear, label: '' }
})

const searchDraftBase = atom<string | null>(null)

/** A search that is not in the address yet, because browsers throttle address changes on every key press. */
export const searchDraftAtom = atom(
  (get) => get(searchDraftBase),
  (_get, set, text: string | null) => set(searchDraftBase, text),
)

/** Writes the search draft to the address. */
export const commitSearchAtom = atom(null, (get, set) => {
  const search = get(searchDraftBase)
  if (search === null) return
  set(filterRidesAtom, { search }, 'typing')
  set(searchDraftBase, null)
})

/** The filters, including the search draft. */
export const effectiveFiltersAtom = atom((get): RideFilters => {
  const filters = get(rideFiltersAtom)
  return { ...filters, search: get(searchDraftBase) ?? filters.search }
})

/** The names of the filters that are set. */
export const activeFiltersAtom = atom((get) => {
  const [filters, defaults] = [get(effectiveFiltersAtom), get(defaultsAtom)]
  return FILTERS.filter((name) => filters[name] !== defaults[name])
})

const sortParameterAtom = atom((get) => get(addressAtom)['sort'] ?? DEFAULT_SORT)

export const chosenSortAtom = atom((get) => readSort(get(sortParameterAtom)))

/** Sorts the rides without adding a history entry. */
export const sortRidesAtom = atom(null, (_get, set, sort: Sort) => {
  const written = writeSort(sort)
  set(addressAtom, { set: { sort: written === DEFAULT_SORT ? null : written }, by: 'replace' })
})
