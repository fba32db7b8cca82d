import { atom } from 'jotai'

import { loadRidesAtom, readFirstRidesAtom } from '../features/rides/atoms.ts'
import { preloadTableAtom, RidesList } from '../features/rides/RidesList.tsx'
import { syncsAtom } from '../features/sync/atoms.ts'
import { SyncRides } from '../features/sync/SyncRides.tsx'

/** Loads what the tab shows. */
export const preloadAtom = atom(null, (get, set, gearId: number) => {
  get(preloadTableAtom)
  set(loadRidesAtom, gearId)
})

export const readFirstAtom = atom(null, (_get, set) =>
  Promise.all([set(readFirstRidesAtom), set(syncsAtom.readAtom)]),
)

export default function RidesTab({ gearId }: { gearId: number | null }) {
  return (
    <RidesList gearId={gearId}>
      <SyncRides />
    </RidesList>
  )
}
