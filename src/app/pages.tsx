import { atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ComponentType } from 'react'

import { addressAtom } from '../lib/address.ts'

type Tab = { id: 'log' } | { id: 'rides'; RidesTab: ComponentType<{ gearId: number }> | undefined }

// A separate chunk, because the ride list has the heavier table. Loaded by an atom, because React.lazy shows its content
// up to 0.3 s late.
const loadRidesTab = () => import('./RidesTab.tsx')
const ridesTabAtom = unwrap(atom(async () => (await loadRidesTab()).default))

/** The Garage once it is loaded. A separate chunk, because a bike doesn't need it. */
export const garageModuleAtom = unwrap(atom(() => import('./GaragePage.tsx')))

/** Whether the address shows the bike's parts list instead of its tabs. */
export const isPartsListAtom = atom((get) => get(addressAtom)['view'] === 'parts-list')

/** The parts list once it is loaded. */
export const partsListModuleAtom = unwrap(atom(() => import('../features/log/parts-list/PartsList.tsx')))

/** The timeline once it is loaded. A separate chunk, because most visits only show the table. */
export const timelineModuleAtom = unwrap(atom(() => import('../features/log/timeline/Timeline.tsx')))

/** Loads the code of the address's view in parallel with the data. */
export const viewModuleAtom = atom(
  (get) => get(addressAtom)['view'] === 'timeline' && get(timelineModuleAtom) !== undefined,
)

/** The tab in the address, with its component once that is loaded. */
export const tabAtom = atom((get): Tab => {
  if (get(addressAtom)['tab'] !== 'rides') return { id: 'log' }
  return { id: 'rides', RidesTab: get(ridesTabAtom) }
})

/** Loads a bike's rides before the owner opens the Rides tab. */
export const preloadRidesAtom = atom(null, async (_get, set, gearId: number) => {
  try {
    const { loadRidesAtom } = await loadRidesTab()
    set(loadRidesAtom, gearId)
  } catch (cause) {
    console.warn('The rides tab could not be loaded', cause)
  }
})
