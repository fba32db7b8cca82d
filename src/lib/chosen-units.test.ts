import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

function refuse(): never {
  throw new DOMException('No room', 'QuotaExceededError')
}

/** A page that has just been opened in this browser. */
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

test('everything is in miles until kilometers are chosen, which the browser remembers', async () => {
  const page = await openPage()
  expect(page.name()).toBe('Miles')
  page.choose('kilometers')
  expect(page.name()).toBe('Kilometers')
  expect((await openPage()).name()).toBe('Kilometers')
})

test('another tab follows', async () => {
  const page = await openPage()
  localStorage.setItem('units', '"kilometers"')
  window.dispatchEvent(new StorageEvent('storage', { key: 'units', newValue: '"kilometers"' }))
  expect(page.name()).toBe('Kilometers')
  window.dispatchEvent(new StorageEvent('storage', { key: 'units', newValue: null }))
  expect(page.name()).toBe('Miles')
})

test.each(['"furlongs"', 'kilometers', '{}', ''])(
  'what is remembered as %j is no choice of units',
  async (text) => {
    localStorage.setItem('units', text)
    expect((await openPage()).name()).toBe('Miles')
  },
)

test('a browser that remembers nothing forgets the choice with the page, and not before', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  const page = await openPage()
  expect(page.name()).toBe('Miles')
  page.choose('kilometers')
  page.leaveAndComeBack()
  expect(page.name()).toBe('Kilometers')
  expect((await openPage()).name()).toBe('Miles')
})
