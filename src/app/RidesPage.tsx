import { BelowFold } from '../components/BelowFold.tsx'
import { RidesList } from '../features/rides/RidesList.tsx'
import { RideYears } from '../features/rides/years/RideYears.tsx'
import { SyncRides } from '../features/sync/SyncRides.tsx'
import styles from './RidesPage.module.css'

// Not the rides, which are below a phone's fold and larger than all other answers: they would delay the months.
export { readFirstYearsAtom as readFirstAtom } from '../features/rides/years/atoms.ts'

/** Compares months and years over all bikes, above the list of all rides. */
export default function RidesPage() {
  return (
    <section className={styles.page} aria-labelledby="rides-heading">
      <title>Rides of all bikes · RWGPS Maintenance Tracker</title>
      <h2 id="rides-heading" className="title">
        Rides of all bikes
      </h2>
      <RideYears />
      <BelowFold>
        <RidesList gearId={null} hasChart={false}>
          <SyncRides />
        </RidesList>
      </BelowFold>
    </section>
  )
}
