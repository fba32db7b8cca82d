import { atom } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readBikes } from './api.ts'

export const bikesAtom = resourceAtom(
  (get, { signal }) => {
    get(ridesChangedAtom)
    return readBikes(get(backendAtom).client, signal)
  },
  { cacheKey: 'bikes' },
)

/** The bike in the address; null if there is none or it does not exist. */
export const selectedBikeAtom = atom((get) => {
  const bikes = get(bikesAtom)
  if (bikes.state !== 'ready') return null
  const id = get(addressAtom)['bike']
  return bikes.data.find((bike) => String(bike.gear_id) === id) ?? null
})

/** Selects a bike and drops the filters of the previous one. */
export const selectBikeAtom = atom(null, (get, set, gearId: number) => {
  const others = Object.keys(get(addressAtom)).filter((name) => name !== 'tab')
  const dropped = Object.fromEntries(others.map((name) => [name, null]))
  set(addressAtom, { set: { ...dropped, bike: String(gearId) }, by: 'push' })
})
