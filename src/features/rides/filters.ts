import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'
import * as v from 'valibot'

import { type Address, addressAtom } from '../../lib/address.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, type Day, dayOf, isDay } from '../../lib/days.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { bikesAtom, namesById, selectedBikeAtom } from '../bikes/atoms.ts'
import type { Ride } from './api.ts'
import { yearStart } from './chart/periods.ts'
import { DEFAULT_SORT, readSort, type Sort, type SortParameter, writeSort } from './sort.ts'

const FIRST_DAY: Day = '1990-01-01'

/**
 * `from` and `to` are inclusive. `to` is null until the owner edits it, because a ride's local day may already be tomorrow
 * and Total Miles counts that ride. `gear` is a gear_id as text, `all`, or `none` for rides without a known gear. `min` is
 * the minimum distance in meters, so it means the same in miles and kilometers.
 */
export type RideFilters = { from: Day; to: Day | null; gear: string; min: number; search: string }

const FILTERS = ['from', 'to', 'gear', 'min', 'search'] as const satisfies (keyof RideFilters)[]

export function defaultFilters(gear: string): RideFilters {
  return { from: FIRST_DAY, to: null, gear, min: 0, search: '' }
}

export function readFilters(
  address: Address,
  defaults: RideFilters,
  knownGears: readonly number[],
): RideFilters {
  const gear = address['gear'] ?? ''
  const isGear = ['all', 'none', ...knownGears.map(String)].includes(gear)
  const min = address['min'] ?? ''
  return {
    from: parseIsoDay(address['from']) ?? defaults.from,
    to: parseIsoDay(address['to']) ?? defaults.to,
    gear: isGear ? gear : defaults.gear,
    min: /^\d{1,9}$/.test(min) ? Number(min) : defaults.min,
    search: address['search'] ?? defaults.search,
  }
}

/** Converts filters to address parameters. Default values become null. */
export function writeFilters(
  changes: Partial<RideFilters>,
  defaults: RideFilters,
): Record<string, string | null> {
  const names = FILTERS.filter((name) => changes[name] !== undefined)
  return Object.fromEntries(
    names.map((name) => [
      name,
      changes[name] === defaults[name] ? null : (changes[name]?.toString() ?? null),
    ]),
  )
}

export function isWithin(
  { started_at, distance }: Pick<Ride, 'started_at' | 'distance'>,
  { from, to, min }: Pick<RideFilters, 'from' | 'to' | 'min'>,
): boolean {
  if ((distance ?? 0) < min) return false
  // Only the default range includes rides without a date.
  if (started_at === null) return from <= FIRST_DAY
  const day = dayOf(started_at)
  return from <= day && (to === null || day <= to)
}

function parseIsoDay(text: string | undefined): Day | null {
  return text !== undefined && isDay(text) ? text : null
}

type Range = Pick<RideFilters, 'from' | 'to'>

export const PRESETS = [
  { value: 'days', label: 'Last 30 days' },
  { value: 'this-year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
  { value: 'all', label: 'All' },
] as const

type Preset = (typeof PRESETS)[number]['value']

/** Returns the dates of each preset. Like the default, ranges that end today have no end date. */
export function presetRanges(today: Day): Record<Preset, Range> {
  const { from, to } = defaultFilters('all')
  const thisYear = yearStart(today)
  const dayBefore = addDays(thisYear, -1)
  return {
    days: { from: addDays(today, -29), to: null },
    'this-year': { from: thisYear, to: null },
    'last-year': { from: yearStart(dayBefore), to: dayBefore },
    all: { from, to },
  }
}

export function presetOf({ from, to }: Range, today: Day): Preset | null {
  const ranges = presetRanges(today)
  const match = PRESETS.find(({ value }) => ranges[value].from === from && ranges[value].to === to)
  return match?.value ?? null
}

const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** Bike names by the ids that rides carry. The map only changes when a name does, so other changes to bikes don't reload rides. */
export const gearNamesAtom = selectAtom(
  bikesAtom,
  (bikes): ReadonlyMap<number, string> => (bikes.state === 'ready' ? namesById(bikes.data) : NO_NAMES),
  (a, b) => a.size === b.size && [...a].every(([gearId, name]) => b.get(gearId) === name),
)

export const gearChoicesAtom = atom((get) => {
  const bikes = get(bikesAtom)
  return [
    ...(bikes.state === 'ready' ? bikes.data : []).map(({ gear_id, name }) => ({
      value: String(gear_id),
      label: name,
    })),
    { value: 'all', label: 'All rides' },
    { value: 'none', label: 'No bike' },
  ]
})

/** The ids that a bike's rides carry, as text, because a list would change each time that the bikes are read. */
export const rideIdsAtom = weakFamily((gear: string) =>
  selectAtom(bikesAtom, (bikes) => {
    const bike = bikes.state === 'ready' && bikes.data.find(({ gear_id }) => String(gear_id) === gear)
    return bike ? bike.ids.join() : gear
  }),
)

const defaultsAtom = atom((get) => defaultFilters(String(get(selectedBikeAtom)?.gear_id ?? 'all')))

/** The filters in the address. The object only changes when a filter changes. */
export const rideFiltersAtom = selectAtom(
  atom((get) => readFilters(get(addressAtom), get(defaultsAtom), [...get(gearNamesAtom).keys()])),
  (filters) => filters,
  (a, b) => FILTERS.every((name) => a[name] === b[name]),
)

/** The last typed fields and their address. While both are unchanged, more typing replaces the same history entry. */
const lastTypedAtom = atom({ fields: '', hash: '' })

/** Changes some filters. Each `choice` adds a history entry. `typing` adds one entry per field. */
export const filterRidesAtom = atom(
  null,
  (get, set, changes: Partial<RideFilters>, how: 'choice' | 'typing') => {
    const fields = Object.keys(changes).join()
    const last = get(lastTypedAtom)
    const isContinued = how === 'typing' && last.fields === fields && last.hash === window.location.hash
    // A drill-down ignores filters, so changing a filter ends it.
    const written = { ...writeFilters(changes, get(defaultsAtom)), use: null }
    set(addressAtom, { set: written, by: isContinued ? 'replace' : 'push' })
    set(lastTypedAtom, how === 'typing' ? { fields, hash: window.location.hash } : { fields: '', hash: '' })
  },
)

/** Whether the list includes rides in the future. It ends now unless the owner chose a later `to`. */
export const includesFutureAtom = atom((get) => {
  const { to } = get(rideFiltersAtom)
  return to !== null && to > get(todayAtom)
})

/** Filters by a period of the chart. Like the presets, the current period has no end date. */
export const filterPeriodAtom = atom(null, (get, set, { start, end }: { start: Day; end: Day }) => {
  const isCurrent = end > get(todayAtom) && !get(includesFutureAtom)
  set(filterRidesAtom, { from: start, to: isCurrent ? null : end }, 'choice')
})

export const clearFiltersAtom = atom(null, (get, set) => {
  set(searchDraftAtom, null)
  set(filterRidesAtom, get(defaultsAtom), 'choice')
})

export const chosenGearAtom = atom((get) => {
  const { gear } = get(rideFiltersAtom)
  return get(gearChoicesAtom).find(({ value }) => value === gear) ?? { value: gear, label: '' }
})

/** A search that isn't in the address yet, because browsers throttle address changes on every key press. */
export const searchDraftAtom = atom<string | null>(null)

export const commitSearchAtom = atom(null, (get, set) => {
  const search = get(searchDraftAtom)
  if (search === null) return
  set(filterRidesAtom, { search }, 'typing')
  set(searchDraftAtom, null)
})

export const effectiveFiltersAtom = atom((get): RideFilters => {
  const filters = get(rideFiltersAtom)
  return { ...filters, search: get(searchDraftAtom) ?? filters.search }
})

export const activeFiltersAtom = atom((get) => {
  const [filters, defaults] = [get(effectiveFiltersAtom), get(defaultsAtom)]
  return FILTERS.filter((name) => filters[name] !== defaults[name])
})

const rememberedSortAtom = preferenceAtom<string>('rides-sort', DEFAULT_SORT, v.string())

const NEWEST_FIRST: SortParameter = '-date'
const rememberedAllSortAtom = preferenceAtom<string>('all-rides-sort', NEWEST_FIRST, v.string())

/** A bike's rides are sorted by name at first, and those of all bikes by date. */
const sortOfListAtom = atom((get) =>
  'bike' in get(addressAtom)
    ? { remembered: rememberedSortAtom, byDefault: DEFAULT_SORT }
    : { remembered: rememberedAllSortAtom, byDefault: NEWEST_FIRST },
)

const sortParameterAtom = atom((get) => get(addressAtom)['sort'] ?? get(get(sortOfListAtom).remembered))

export const chosenSortAtom = atom((get) => readSort(get(sortParameterAtom)))

/** Sorts the rides without adding a history entry, and remembers the order. */
export const sortRidesAtom = atom(null, (get, set, sort: Sort) => {
  const written = writeSort(sort)
  const { remembered, byDefault } = get(sortOfListAtom)
  set(remembered, written)
  set(addressAtom, { set: { sort: written === byDefault ? null : written }, by: 'replace' })
})
