import { atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ComponentType } from 'react'

import { addressAtom } from '../lib/address.ts'

type Tab = { id: 'log' } | { id: 'rides'; RidesTab: ComponentType<{ gearId: number }> | undefined }

// A chunk of its own: the list of rides has the heavier table, for which the log does not wait. Loaded by an atom, since
// React holds back for 0.3 s what follows the placeholder of its own lazy loading.
const loadRidesTab = () => import('./RidesTab.tsx')
const ridesTabAtom = unwrap(atom(async () => (await loadRidesTab()).default))

/** The tab that the address names, and what it shows once that is loaded. */
export const tabAtom = atom((get): Tab => {
  if (get(addressAtom)['tab'] !== 'rides') return { id: 'log' }
  return { id: 'rides', RidesTab: get(ridesTabAtom) }
})

/** Loads a bike's rides before the owner opens their tab. */
export const loadRidesAheadAtom = atom(null, async (_get, set, gearId: number) => {
  try {
    const { loadRidesAtom } = await loadRidesTab()
    set(loadRidesAtom, gearId)
  } catch (cause) {
    console.warn('The rides tab could not be loaded', cause)
  }
})
