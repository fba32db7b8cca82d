import { formatCount } from '../../lib/formats.ts'
import type { Ride } from './api.ts'
import styles from './AverageWatts.module.css'

/** Where there are no maximal watts there was no power meter: Ride with GPS estimated the average. */
export function isEstimate({ avg_watts, max_watts }: Pick<Ride, 'avg_watts' | 'max_watts'>): boolean {
  return avg_watts !== null && max_watts === null
}

export function AverageWatts({ ride }: { ride: Pick<Ride, 'avg_watts' | 'max_watts'> }) {
  if (!isEstimate(ride)) return formatCount(ride.avg_watts)
  return (
    <span className={styles.estimate} title="Estimated by Ride with GPS: this ride has no power meter’s data">
      {formatCount(ride.avg_watts)}
      <small aria-hidden> est.</small>
      <span className="visually-hidden"> estimated</span>
    </span>
  )
}
