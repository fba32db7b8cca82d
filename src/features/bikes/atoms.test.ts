// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { fakeStore } from '../../lib/fake-backend.ts'
import { bikesAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'

const BIKES = [
  { gear_id: 1, name: 'Domane' },
  { gear_id: 2, name: 'Warbird' },
]

async function open(hash: string) {
  window.history.replaceState(null, '', `/${hash}`)
  const { store } = fakeStore(() => Response.json(BIKES))
  store.sub(bikesAtom, () => undefined)
  expect(store.get(selectedBikeAtom)).toBeNull()
  await expect.poll(() => store.get(bikesAtom).state).toBe('ready')
  return store
}

test.each([
  ['', null],
  ['#bike=2', 'Warbird'],
  ['#bike=3', null],
  ['#bike=', null],
])('the address %j selects %s once the bikes are loaded', async (hash, name) => {
  expect((await open(hash)).get(selectedBikeAtom)?.name ?? null).toBe(name)
})

test('selecting a bike keeps the tab and drops the filters', async () => {
  const store = await open('#bike=1&tab=rides&gear=all&from=2024-01-01')
  store.set(selectBikeAtom, 2)
  expect(store.get(selectedBikeAtom)?.name).toBe('Warbird')
  expect(window.location.hash).toBe('#bike=2&tab=rides')
})

test('selecting a bike drops the tab of the Garage', async () => {
  const store = await open('#garage&tab=lifetimes')
  store.set(selectBikeAtom, 2)
  expect(window.location.hash).toBe('#bike=2')
})
