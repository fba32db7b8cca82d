import { RidesList } from '../features/rides'
import { SyncRides } from '../features/sync'

export { loadRidesAtom } from '../features/rides'

export default function RidesTab({ gearId }: { gearId: number }) {
  return (
    <RidesList gearId={gearId}>
      <SyncRides />
    </RidesList>
  )
}
