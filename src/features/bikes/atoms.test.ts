// @vitest-environment jsdom
import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import { bikesAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'

const BIKES = [
  { gear_id: 1, name: 'Domane' },
  { gear_id: 2, name: 'Warbird' },
]

beforeEach(() => window.history.replaceState(null, '', '/'))

async function open(hash: string) {
  window.history.replaceState(null, '', `/${hash}`)
  const { backend } = fakeBackend(() => Response.json(BIKES))
  const store = createStore()
  store.set(backendAtom, backend)
  store.sub(bikesAtom, () => undefined)
  await vi.waitFor(() => expect(store.get(bikesAtom).state).toBe('ready'))
  return store
}

test.each([
  ['', null],
  ['#bike=2', 'Warbird'],
  ['#bike=3', null],
  ['#bike=', null],
])('the address %j selects %s', async (hash, name) => {
  expect((await open(hash)).get(selectedBikeAtom)?.name ?? null).toBe(name)
})

test('selects no bike while the bikes load', () => {
  window.history.replaceState(null, '', '/#bike=2')
  const { backend } = fakeBackend(() => Response.json(BIKES))
  const store = createStore()
  store.set(backendAtom, backend)
  expect(store.get(selectedBikeAtom)).toBeNull()
})

test('selecting a bike keeps the tab and drops the filters', async () => {
  const store = await open('#bike=1&tab=rides&gear=all&from=2024-01-01')
  store.set(selectBikeAtom, 2)
  expect(store.get(selectedBikeAtom)?.name).toBe('Warbird')
  expect(Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)))).toEqual({
    bike: '2',
    tab: 'rides',
  })
})

test('selecting a bike drops the tab of the Garage', async () => {
  const store = await open('#garage&tab=lifetimes')
  store.set(selectBikeAtom, 2)
  expect(window.location.hash).toBe('#bike=2')
})
