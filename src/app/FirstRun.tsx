import { useEffect } from 'react'

import { focusIfLost } from '../components/lost-focus.ts'
import { UpdateRides } from '../features/update-rides'
import styles from './FirstRun.module.css'

/** Stands in place of the log while there are no bikes. */
export function FirstRun() {
  // The button leaves once there are bikes, and choosing one comes next.
  useEffect(() => () => focusIfLost(document.querySelector<HTMLElement>('#bikes-label ~ button')), [])

  return (
    <section className={styles.card}>
      <p>There are no bikes yet: fetch your bikes and rides from Ride with GPS to begin.</p>
      <UpdateRides />
    </section>
  )
}
