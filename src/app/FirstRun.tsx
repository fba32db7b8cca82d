import { useEffect } from 'react'

import { UpdateRides } from '../features/update-rides'
import styles from './FirstRun.module.css'

/** Stands in place of the log while there are no bikes. */
export function FirstRun() {
  // The button goes as soon as it has brought the bikes: one goes on by choosing one.
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('#bikes-label ~ button')?.focus()
    },
    [],
  )

  return (
    <section className={styles.card}>
      <p>There are no bikes yet: fetch your bikes and rides from Ride with GPS to begin.</p>
      <UpdateRides />
    </section>
  )
}
