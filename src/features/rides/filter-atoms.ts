import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'

import { addressAtom } from '../../lib/address.ts'
import { selectedBikeAtom } from '../bikes'
import { defaultFilters, readFilters, type RideFilters, writeFilters } from './filters.ts'
import { gearNamesAtom } from './gears.ts'
import { DEFAULT_SORT, readSort, type Sort, writeSort } from './sort.ts'

const defaultsAtom = atom((get) => defaultFilters(get(selectedBikeAtom)?.gear_id ?? 0))

const NAMES = ['from', 'to', 'gear', 'search'] as const

/** The filters that the address holds; the same object for as long as they say the same. */
export const rideFiltersAtom = selectAtom(
  atom((get) => readFilters(get(addressAtom), get(defaultsAtom), [...get(gearNamesAtom).keys()])),
  (filters) => filters,
  (a, b) => NAMES.every((name) => a[name] === b[name]),
)

/** Where the last typing left the address: as long as it is still there, more typing is the same step of Back. */
const lastTypedAtom = atom({ fields: '', hash: '' })

/**
 * Changes some of the filters. A `choice` is a step that Back undoes; `typing` is one step for all that is typed into the
 * same field.
 */
export const filterRidesAtom = atom(
  null,
  (get, set, changes: Partial<RideFilters>, how: 'choice' | 'typing') => {
    const fields = Object.keys(changes).join()
    const last = get(lastTypedAtom)
    const goesOn = how === 'typing' && last.fields === fields && last.hash === window.location.hash
    // Filters take the place of a number that the list is narrowed to: a bar of its picture would change nothing.
    const written = { ...writeFilters(changes, get(defaultsAtom)), use: null }
    set(addressAtom, { set: written, by: goesOn ? 'replace' : 'push' })
    set(lastTypedAtom, how === 'typing' ? { fields, hash: window.location.hash } : { fields: '', hash: '' })
  },
)

/** Takes all filters back but the gear. */
export const clearFiltersAtom = atom(null, (get, set) => {
  const { from, to, search } = get(defaultsAtom)
  set(searchDraftBase, null)
  set(filterRidesAtom, { from, to, search }, 'choice')
})

const searchDraftBase = atom<string | null>(null)

/** What is being typed into the search and is not in the address yet: browsers refuse an address that changes at every key. */
export const searchDraftAtom = atom(
  (get) => get(searchDraftBase),
  (_get, set, text: string | null) => set(searchDraftBase, text),
)

/** Takes what was typed into the address. */
export const commitSearchAtom = atom(null, (get, set) => {
  const search = get(searchDraftBase)
  if (search === null) return
  set(filterRidesAtom, { search }, 'typing')
  set(searchDraftBase, null)
})

/** The filters with the search as it is being typed. */
export const effectiveFiltersAtom = atom((get): RideFilters => {
  const filters = get(rideFiltersAtom)
  return { ...filters, search: get(searchDraftBase) ?? filters.search }
})

/** Whether anything but the gear narrows the list. */
export const isNarrowedAtom = atom((get) => {
  const [filters, defaults] = [get(effectiveFiltersAtom), get(defaultsAtom)]
  return NAMES.some((name) => name !== 'gear' && filters[name] !== defaults[name])
})

const writtenSortAtom = atom((get) => get(addressAtom)['sort'] ?? DEFAULT_SORT)

/** The sort that the address holds. */
export const chosenSortAtom = atom((get) => readSort(get(writtenSortAtom)))

/** Sorts the rides; Back does not undo it. */
export const sortRidesAtom = atom(null, (_get, set, sort: Sort) => {
  const written = writeSort(sort)
  set(addressAtom, { set: { sort: written === DEFAULT_SORT ? null : written }, by: 'replace' })
})
