import { UpdateRides } from '../features/update-rides'
import styles from './FirstRun.module.css'

/** Stands in place of the log while there are no bikes. */
export function FirstRun() {
  return (
    <section className={styles.card}>
      <p>There are no bikes yet: fetch your bikes and rides from Ride with GPS to begin.</p>
      <UpdateRides />
    </section>
  )
}
