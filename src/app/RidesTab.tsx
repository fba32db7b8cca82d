import { RidesList } from '../features/rides'
import { UpdateRides } from '../features/update-rides'

export { loadRidesAtom } from '../features/rides'

export default function RidesTab({ gearId }: { gearId: number }) {
  return (
    <RidesList gearId={gearId}>
      <UpdateRides />
    </RidesList>
  )
}
