// @vitest-environment jsdom
import fc from 'fast-check'
import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { addressAtom } from '../../lib/address.ts'
import { draftAtom, draftKey } from './drafts.ts'
import { ITEM } from './fake-item.ts'
import type { Item } from './fields.ts'
import { commitFindAtom, findAtom } from './find.ts'
import { jumpToAtom } from './jump.ts'
import { heldItemAtom, logViewAtom } from './open-item.ts'
import {
  foundLineAtom,
  isGroupedAtom,
  ORDER_KEYS,
  orderAtom,
  showAtom,
  shownCostAtom,
  selectionAtom,
  sortItems,
} from './shown-items.ts'

const at = (day: string) => `${day}T01:00:00`

const OPEN: Item = { ...ITEM, id: 1, name: 'Chain', type: 'Drivetrain', cost: 45 }
const OLD: Item = { ...ITEM, id: 2, name: 'Old chain', type: 'Drivetrain', dateEnded: at('2024-01-11') }
const FRAME: Item = { ...ITEM, id: 3, name: 'Frame 10', type: 'Frame', cost: 5 }
const UNTYPED: Item = { ...ITEM, id: 4, name: 'Frame 9', description: null, dateEnded: at('2024-01-10') }
const LOG = [OPEN, OLD, FRAME, UNTYPED]

const view = (store = createStore()) => {
  const ids = () =>
    store
      .get(selectionAtom(7))(LOG)
      .map(({ id }) => id)
  return { store, ids }
}

test('starts with every item, in the order it was read', () => {
  expect(view().ids()).toEqual([1, 2, 3, 4])
})

test('keeps the chosen filter in the address and remembers it', () => {
  const { store, ids } = view()
  store.set(showAtom, 'in-use')
  expect(window.location.hash).toBe('#show=in-use')
  expect(ids()).toEqual([1, 3])
  store.set(addressAtom, { set: { show: null }, by: 'replace' })
  expect(ids()).toEqual([1, 3])
  store.set(addressAtom, { set: { show: 'ended' }, by: 'replace' })
  expect(ids()).toEqual([2, 4])
})

test('finds words of names, descriptions and types, and counts what another filter hides', () => {
  const { store, ids } = view()
  store.set(findAtom, 'CHAIN drive')
  expect(ids()).toEqual([1, 2])
  // A search starts with all items, whatever was chosen before.
  store.set(addressAtom, { set: { show: 'ended' }, by: 'replace' })
  expect([ids(), store.get(showAtom)]).toEqual([[1, 2], 'all'])
  store.set(addressAtom, { set: { show: null }, by: 'replace' })
  expect(store.get(shownCostAtom)(LOG)).toBe('Found: $90.00')
  expect(window.location.hash).toBe('')
  store.set(commitFindAtom)
  expect(window.location.hash).toBe('#find=CHAIN+drive')
  expect(ids()).toEqual([1, 2])
  store.set(showAtom, 'in-use')
  expect(ids()).toEqual([1])
  expect(store.get(foundLineAtom)(LOG)).toEqual({ says: '1 entry found', hidden: 1 })
  store.set(heldItemAtom, 4)
  expect(ids()).toEqual([1, 4])
  store.set(findAtom, ' ')
  expect(store.get(foundLineAtom)(LOG)).toBeNull()
  const ended = LOG.filter(({ id }) => id === 2 || id === 4)
  expect(store.get(foundLineAtom)(ended)).toEqual({ says: 'Nothing is in use.', hidden: 2 })
  expect(ids()).toEqual([1, 3])
  store.set(commitFindAtom)
  expect(window.location.hash).toBe('#show=in-use')
  store.set(findAtom, 'chain')
  expect(ids()).toEqual([1, 2])
})

test('keeps an item that has the focus or a draft', () => {
  const { store, ids } = view()
  store.set(showAtom, 'in-use')
  store.set(heldItemAtom, 2)
  expect(ids()).toEqual([1, 2, 3])
  store.set(draftAtom(draftKey(7, 4, 'name')), { text: 'F', base: 'Frame 9' })
  store.set(heldItemAtom, null)
  expect(ids()).toEqual([1, 3, 4])
  store.set(draftAtom(draftKey(7, 4, 'name')), null)
  expect(ids()).toEqual([1, 3])
})

test('keeps no item for an invalid id in the address', () => {
  const { store, ids } = view()
  store.set(addressAtom, { set: { show: 'in-use', item: '0x2' }, by: 'replace' })
  expect(ids()).toEqual([1, 3])
})

test('choosing a filter again releases the item and closes its details', () => {
  const { store, ids } = view()
  store.set(addressAtom, { set: { show: 'in-use', item: '2' }, by: 'replace' })
  expect(ids()).toEqual([1, 2, 3])
  store.set(showAtom, 'in-use')
  expect(ids()).toEqual([1, 3])
})

test.each([
  ['name', [1, 4, 3, 2]],
  ['-name', [2, 3, 4, 1]],
  ['cost', [3, 1, 2, 4]],
  ['dateEnded', [4, 2, 1, 3]],
  ['-dateEnded', [2, 4, 1, 3]],
  ['description', [1, 2, 3, 4]],
  ['-dateStarted', [1, 2, 3, 4]],
  ['type', [3, 1, 2, 4]],
  ['nonsense', [1, 2, 3, 4]],
])('sorts by %s, missing values last', (order, expected) => {
  window.location.hash = `#order=${order}`
  expect(view().ids()).toEqual(expected)
})

test('groups by type without losing the order within a group', () => {
  const { store, ids } = view()
  store.set(isGroupedAtom, true)
  store.set(orderAtom, { key: 'name', desc: true })
  expect(ids()).toEqual([3, 2, 1, 4])
  store.set(isGroupedAtom, false)
  store.set(orderAtom, { key: 'dateStarted', desc: false })
  expect(window.location.hash).toBe('')
})

test('sorting never loses an item', () => {
  const items = fc.array(
    fc.record({
      type: fc.constantFrom(null, 'Frame', 'Tires'),
      description: fc.option(fc.string()),
      cost: fc.integer(),
      dateEnded: fc.option(fc.constantFrom(at('2024-02-01'), at('2024-03-01'))),
    }),
  )
  fc.assert(
    fc.property(items, fc.constantFrom(...ORDER_KEYS), fc.boolean(), (given, key, desc) => {
      const log = given.map((one, id): Item => ({ ...ITEM, ...one, id }))
      const sorted = sortItems(log, { key, desc })
      expect(sorted.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(log.map(({ id }) => id))
    }),
  )
})

test('the timeline is in the address, and a jump to an entry opens the table', () => {
  const store = createStore()
  window.location.hash = '#bike=1'
  expect(store.get(logViewAtom)).toBe('table')
  store.set(logViewAtom, 'timeline')
  expect(window.location.hash).toBe('#bike=1&view=timeline')
  store.set(addressAtom, { set: { year: '2024', day: '2024-07-01' }, by: 'replace' })
  store.set(jumpToAtom, 'new')
  expect(store.get(logViewAtom)).toBe('table')
  expect(window.location.hash).toBe('#bike=1')
})
