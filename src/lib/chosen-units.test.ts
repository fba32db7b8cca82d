// @vitest-environment jsdom
import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

function refuse(): never {
  throw new DOMException('Full', 'QuotaExceededError')
}

async function openPage() {
  vi.resetModules()
  const { chosenUnitsAtom, unitsAtom } = await import('./chosen-units.ts')
  const store = createStore()
  const leave = store.sub(unitsAtom, () => undefined)
  return {
    name: () => store.get(unitsAtom).name,
    choose: (chosen: 'miles' | 'kilometers') => store.set(chosenUnitsAtom, chosen),
    leaveAndComeBack: () => {
      leave()
      store.sub(unitsAtom, () => undefined)
    },
  }
}

test('uses miles by default and remembers a choice of kilometers', async () => {
  const page = await openPage()
  expect(page.name()).toBe('Miles')
  page.choose('kilometers')
  expect(page.name()).toBe('Kilometers')
  expect((await openPage()).name()).toBe('Kilometers')
})

test('follows a change in another tab', async () => {
  const page = await openPage()
  localStorage.setItem('units', '"kilometers"')
  window.dispatchEvent(new StorageEvent('storage', { key: 'units', newValue: '"kilometers"' }))
  expect(page.name()).toBe('Kilometers')
  window.dispatchEvent(new StorageEvent('storage', { key: 'units', newValue: null }))
  expect(page.name()).toBe('Miles')
})

test.each(['"furlongs"', 'kilometers', '{}', ''])('ignores the stored value %j', async (text) => {
  localStorage.setItem('units', text)
  expect((await openPage()).name()).toBe('Miles')
})

test('without storage, the choice lasts until the page is closed', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  const page = await openPage()
  expect(page.name()).toBe('Miles')
  page.choose('kilometers')
  page.leaveAndComeBack()
  expect(page.name()).toBe('Kilometers')
  expect((await openPage()).name()).toBe('Miles')
})
