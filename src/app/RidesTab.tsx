import { RidesList } from '../features/rides'
import { UpdateRides } from '../features/update-rides'
import styles from './RidesTab.module.css'

export default function RidesTab() {
  return (
    <div className={styles.tab}>
      <UpdateRides />
      <RidesList />
    </div>
  )
}
