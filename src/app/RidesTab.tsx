import { RidesList } from '../features/rides'
import { UpdateRides } from '../features/update-rides'

export default function RidesTab() {
  return (
    <RidesList>
      <UpdateRides />
    </RidesList>
  )
}
