import { atom } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { type Bike, readBikes } from './api.ts'

export const bikesAtom = resourceAtom({ reads: ['rides', 'bikes'], cacheAs: 'bikes' }, (get, { signal }) =>
  readBikes(get(backendAtom).client, signal),
)

/** The bike in the address. Null if the address has none or the bike doesn't exist. */
export const selectedBikeAtom = atom((get) => {
  const bikes = get(bikesAtom)
  if (bikes.state !== 'ready') return null
  const id = get(addressAtom)['bike']
  return bikes.data.find(({ ids }) => ids.some((one) => String(one) === id)) ?? null
})

/** A function that returns a bike's name, or `Bike <gear_id>` if the bike no longer exists. */
export const bikeNameAtom = atom((get) => {
  const bikes = get(bikesAtom)
  const names = bikes.state === 'ready' ? namesById(bikes.data) : new Map<number, string>()
  return (gearId: number) => names.get(gearId) ?? `Bike ${gearId}`
})

/** Returns the bikes' names by all ids that their rides may carry. */
export const namesById = (bikes: readonly Bike[]): Map<number, string> =>
  new Map(bikes.flatMap(({ ids, name }) => ids.map((id) => [id, name] as const)))

export const isSettingsAtom = atom((get) => 'settings' in get(addressAtom))

/** Whether the rides of all bikes are shown. */
export const isAllRidesAtom = atom(
  (get) => 'rides' in get(addressAtom) && !get(isSettingsAtom) && get(selectedBikeAtom) === null,
)

/** Whether the Garage is shown, because the address has no known bike. */
export const isGarageAtom = atom((get) => {
  if (get(isSettingsAtom) || get(isAllRidesAtom)) return false
  return get(bikesAtom).state === 'ready' ? get(selectedBikeAtom) === null : !('bike' in get(addressAtom))
})

/** Selects a bike. Keeps the current tab and the timeline view, but not the filters. */
export const selectBikeAtom = atom(null, (get, set, gearId: number) => {
  const { bike, view } = get(addressAtom)
  const exceptions = bike === undefined ? [] : view === 'timeline' ? ['tab', 'view'] : ['tab']
  set(replaceAddressAtom, { bike: String(gearId) }, exceptions)
})

/** Opens the Garage, at a tab or section if one is given. */
export const openGarageAtom = atom(null, (_get, set, at: { tab?: string; section?: string } = {}) =>
  set(replaceAddressAtom, { garage: '', ...at }),
)

/** Opens the rides of all bikes. */
export const openAllRidesAtom = atom(null, (_get, set) => set(replaceAddressAtom, { rides: '' }))

/** Opens the settings, at a section if one is named. */
export const openSettingsAtom = atom(null, (_get, set, section?: string) =>
  set(replaceAddressAtom, { settings: '', ...(section && { section }) }),
)

const replaceAddressAtom = atom(null, (get, set, next: Record<string, string>, exceptions: string[] = []) => {
  const dropped = Object.keys(get(addressAtom)).filter((name) => !exceptions.includes(name))
  const nulls = Object.fromEntries(dropped.map((name) => [name, null]))
  set(addressAtom, { set: { ...nulls, ...next }, by: 'push' })
})
