import { RidesList } from '../features/rides/RidesList.tsx'
import { SyncRides } from '../features/sync/SyncRides.tsx'

export { loadRidesAtom } from '../features/rides/atoms.ts'

export default function RidesTab({ gearId }: { gearId: number }) {
  return (
    <RidesList gearId={gearId}>
      <SyncRides />
    </RidesList>
  )
}
