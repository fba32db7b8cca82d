// @vitest-environment jsdom
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'

import {
  activeFiltersAtom,
  chosenSortAtom,
  clearFiltersAtom,
  commitSearchAtom,
  effectiveFiltersAtom,
  filterRidesAtom,
  rideFiltersAtom,
  searchDraftAtom,
  sortRidesAtom,
} from './filter-atoms.ts'
import { backendAtom } from '../../lib/backend.ts'
import { today } from '../../lib/days.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'

beforeEach(() => window.history.replaceState(null, '', '/#bike=7'))

function setUp() {
  const store = createStore()
  store.set(backendAtom, fakeBackend(() => Response.json([])).backend)
  const before = window.history.length
  return { store, steps: () => window.history.length - before }
}

test('typing into one field is a single history entry', () => {
  const { store, steps } = setUp()
  store.set(filterRidesAtom, { from: '2024-01-01' }, 'typing')
  store.set(filterRidesAtom, { from: '2024-01-10' }, 'typing')
  expect(steps()).toBe(1)
  store.set(filterRidesAtom, { to: '2024-02-01' }, 'typing')
  expect(steps()).toBe(2)
  expect(window.location.hash).toBe('#bike=7&from=2024-01-10&to=2024-02-01')
})

test('keeps an edited To in the address, even if it is today, until the filters are cleared', () => {
  const { store } = setUp()
  store.set(filterRidesAtom, { to: today() }, 'typing')
  expect(window.location.hash).toBe(`#bike=7&to=${today()}`)
  expect(store.get(activeFiltersAtom)).toEqual(['to'])
  store.set(clearFiltersAtom)
  expect(window.location.hash).toBe('#bike=7')
  expect(store.get(effectiveFiltersAtom).to).toBeNull()
})

test('each choice is a history entry', () => {
  const { store, steps } = setUp()
  store.set(filterRidesAtom, { gear: 'all' }, 'choice')
  store.set(filterRidesAtom, { gear: 'none' }, 'choice')
  expect(steps()).toBe(2)
})

test('typing after another change is a new history entry', () => {
  const { store, steps } = setUp()
  store.set(filterRidesAtom, { search: 'a' }, 'typing')
  store.set(filterRidesAtom, { gear: 'all' }, 'choice')
  store.set(filterRidesAtom, { search: 'ab' }, 'typing')
  expect(steps()).toBe(3)
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
