import { RidesList } from '../features/rides/RidesList.tsx'
import { SyncRides } from '../features/sync/SyncRides.tsx'

export { loadRidesAtom } from '../features/rides/atoms.ts'

export default function RidesTab({ gearId }: { gearId: number | null }) {
  return (
    <RidesList gearId={gearId}>
      <SyncRides />
    </RidesList>
  )
}
