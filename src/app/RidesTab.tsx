import { atom } from 'jotai'

import { loadRidesAtom } from '../features/rides/atoms.ts'
export { readFirstRidesAtom as readFirstAtom } from '../features/rides/atoms.ts'

import { preloadTableAtom, RidesList } from '../features/rides/RidesList.tsx'
import { SyncRides } from '../features/sync/SyncRides.tsx'

/** Loads what the tab shows. */
export const preloadAtom = atom(null, (get, set, gearId: number) => {
  get(preloadTableAtom)
  set(loadRidesAtom, gearId)
})

export default function RidesTab({ gearId }: { gearId: number | null }) {
  return (
    <RidesList gearId={gearId}>
      <SyncRides />
    </RidesList>
  )
}
