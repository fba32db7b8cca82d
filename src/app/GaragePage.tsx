import { useAtomValue } from 'jotai'

import { BikeCards, garageAtom, GarageTotals } from '../features/garage'
import { ToCheck } from '../features/checks'
import { Lifetimes } from '../features/lifetimes'
import { StoredParts } from '../features/parts'
import { AfterService, Due, dueTitleAtom } from '../features/service'
import { Spending } from '../features/spending'
import styles from './GaragePage.module.css'

/** The landing page: what there is to know about all bikes, in sections. */
export default function GaragePage() {
  const isLoaded = useAtomValue(garageAtom).state !== 'loading'
  const due = useAtomValue(dueTitleAtom(null))
  return (
    <section className={styles.garage} aria-labelledby="garage-heading">
      <title>{`${due}Garage · RWGPS Maintenance Tracker`}</title>
      <div className={styles.top}>
        <h2 id="garage-heading" className={styles.heading}>
          Garage
        </h2>
        <GarageTotals />
      </div>
      <AfterService>
        <Due />
        <BikeCards />
      </AfterService>
      {/* The cards are higher once they are loaded. */}
      {isLoaded && (
        <>
          <StoredParts />
          <Lifetimes />
          <Spending />
          <ToCheck />
        </>
      )}
    </section>
  )
}
