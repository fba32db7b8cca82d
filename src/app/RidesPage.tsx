import { atom } from 'jotai'

import { BelowFold } from '../components/BelowFold.tsx'
import { readFirstRidesAtom } from '../features/rides/atoms.ts'
import { RidesList } from '../features/rides/RidesList.tsx'
import { readFirstYearsAtom } from '../features/rides/years/atoms.ts'
import { RideYears } from '../features/rides/years/RideYears.tsx'
import { SyncRides } from '../features/sync/SyncRides.tsx'
import styles from './RidesPage.module.css'

export const readFirstAtom = atom(null, (_get, set) =>
  Promise.all([set(readFirstYearsAtom), set(readFirstRidesAtom)]),
)

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
