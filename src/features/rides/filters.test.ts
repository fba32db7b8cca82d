// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'

import { localDay } from '../../lib/days.ts'
import { fakeStore } from '../../lib/fake-backend.ts'
import {
  activeFiltersAtom,
  chosenSortAtom,
  clearFiltersAtom,
  commitSearchAtom,
  defaultFilters,
  effectiveFiltersAtom,
  filterRidesAtom,
  isWithin,
  presetOf,
  presetRanges,
  PRESETS,
  readFilters,
  rideFiltersAtom,
  searchDraftAtom,
  sortRidesAtom,
  writeFilters,
} from './filters.ts'

const defaults = defaultFilters('7')
const on = (started_at: string | null, distance: number | null = 1000) => ({ started_at, distance })

test('by default, shows the selected bike from 1990 without an end', () => {
  const shown = { from: '1990-01-01', to: null, gear: '7', min: 0, search: '' }
  expect(readFilters({}, defaults, [7])).toEqual(shown)
  // This date doesn't exist.
  expect(readFilters({ from: '2024-02-30' }, defaults, [7])).toEqual(shown)
})

test.each([
  ['8', '8'],
  ['all', 'all'],
  ['9', '7'],
  ['gear', '7'],
])('with bikes 7 and 8, reads gear %s as %s', (written, expected) => {
  expect(readFilters({ gear: written }, defaults, [7, 8]).gear).toBe(expected)
})

test.each(['', '0', '-5', '1.5', '1e3', 'far', '9999999999'])(
  'reads a minimum distance of %j as none',
  (min) => {
    expect(readFilters({ min }, defaults, [7]).min).toBe(0)
  },
)

test('leaves defaults out of the address', () => {
  const changes = { from: '1990-01-01', to: '2023-01-31', min: 0, search: '' } as const
  expect(writeFilters(changes, defaults)).toEqual({ from: null, to: '2023-01-31', min: null, search: null })
})

test('reads back what it writes', () => {
  const filters = { from: '2024-02-29', to: '2024-03-01', gear: 'all', min: 80_450, search: 'a b' } as const
  const written = writeFilters(filters, defaults) as Record<string, string>
  expect(readFilters(written, defaults, [7])).toEqual(filters)
})

test.each([
  ['2024-01-01T00:00:00', true],
  ['2024-01-31T23:59:59', true],
  ['2023-12-31T23:59:59', false],
  ['2024-02-01T00:00:00', false],
  [null, false],
])('a ride at %s is in January: %s', (startedAt, expected) => {
  expect(isWithin(on(startedAt), { from: '2024-01-01', to: '2024-01-31', min: 0 })).toBe(expected)
})

test('while From and To are the defaults, shows rides without a date or whose local day is tomorrow', () => {
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString()
  expect([null, tomorrow].map((start) => isWithin(on(start), defaults))).toEqual([true, true])
})

test.each([
  [80_450, true],
  [80_449.9, false],
  [null, false],
])('a ride of %s m has the minimum distance of 80,450 m: %s', (distance, expected) => {
  expect(isWithin(on('2024-05-07T08:00:00', distance), { ...defaults, min: 80_450 })).toBe(expected)
})

test.each([
  ['2026-11-21', '2026-10-23', '2026-01-01', '2025-01-01', '2025-12-31'],
  ['2024-03-01', '2024-02-01', '2024-01-01', '2023-01-01', '2023-12-31'],
  ['2025-01-01', '2024-12-03', '2025-01-01', '2024-01-01', '2024-12-31'],
] as const)('on %s, the presets begin on the right days', (today, days, thisYear, lastYear, lastDay) => {
  expect(presetRanges(today)).toEqual({
    days: { from: days, to: null },
    'this-year': { from: thisYear, to: null },
    'last-year': { from: lastYear, to: lastDay },
    all: { from: '1990-01-01', to: null },
  })
})

test('recognizes each preset by its dates, and other dates as none', () => {
  const today = '2026-11-21'
  for (const { value } of PRESETS) expect(presetOf(presetRanges(today)[value], today)).toBe(value)
  expect(presetOf({ from: '2024-07-01', to: '2024-07-31' }, today)).toBeNull()
  expect(presetOf({ from: '2026-01-01', to: today }, today)).toBeNull()
})

beforeEach(() => window.history.replaceState(null, '', '/#bike=7'))

function setUp() {
  const { store } = fakeStore(() => Response.json([]))
  const before = window.history.length
  return { store, steps: () => window.history.length - before }
}

test('typing into one field is a single history entry until something else changes, and so is each choice', () => {
  const { store, steps } = setUp()
  store.set(filterRidesAtom, { from: '2024-01-01' }, 'typing')
  store.set(filterRidesAtom, { from: '2024-01-10' }, 'typing')
  expect(steps()).toBe(1)
  store.set(filterRidesAtom, { to: '2024-02-01' }, 'typing')
  expect(steps()).toBe(2)
  expect(window.location.hash).toBe('#bike=7&from=2024-01-10&to=2024-02-01')
  store.set(filterRidesAtom, { gear: 'none' }, 'choice')
  store.set(filterRidesAtom, { gear: 'all' }, 'choice')
  expect(steps()).toBe(4)
  store.set(filterRidesAtom, { to: '2024-02-02' }, 'typing')
  expect(steps()).toBe(5)
})

test('keeps an edited To in the address, even if it is today, until the filters are cleared', () => {
  const { store } = setUp()
  store.set(filterRidesAtom, { to: localDay(new Date()) }, 'typing')
  expect(window.location.hash).toBe(`#bike=7&to=${localDay(new Date())}`)
  expect(store.get(activeFiltersAtom)).toEqual(['to'])
  store.set(clearFiltersAtom)
  expect(window.location.hash).toBe('#bike=7')
  expect(store.get(effectiveFiltersAtom).to).toBeNull()
})

test('a search filters immediately and is written to the address when committed', () => {
  const { store, steps } = setUp()
  store.set(searchDraftAtom, 'hill')
  expect(store.get(effectiveFiltersAtom).search).toBe('hill')
  expect(store.get(rideFiltersAtom).search).toBe('')
  expect(steps()).toBe(0)
  store.set(commitSearchAtom)
  expect(window.location.hash).toBe('#bike=7&search=hill')
  expect(store.get(searchDraftAtom)).toBeNull()
})

test('clearing resets every filter in one history entry but keeps the sort', () => {
  const { store, steps } = setUp()
  store.set(filterRidesAtom, { from: '2024-01-01', gear: 'none', min: 80_450 }, 'choice')
  store.set(sortRidesAtom, { key: 'distance', desc: true })
  store.set(searchDraftAtom, 'hill')
  expect(store.get(activeFiltersAtom)).toEqual(['from', 'gear', 'min', 'search'])
  store.set(clearFiltersAtom)
  expect(store.get(activeFiltersAtom)).toEqual([])
  expect(window.location.hash).toBe('#bike=7&sort=-distance')
  expect(steps()).toBe(2)
})

test('leaves the default sort out of the address, and sorting adds no history entry', () => {
  const { store, steps } = setUp()
  store.set(sortRidesAtom, { key: 'name', desc: false })
  expect(window.location.hash).toBe('#bike=7&sort=name')
  store.set(sortRidesAtom, { key: 'name', desc: true })
  expect(window.location.hash).toBe('#bike=7')
  expect(store.get(chosenSortAtom)).toEqual({ key: 'name', desc: true })
  expect(steps()).toBe(0)
})
