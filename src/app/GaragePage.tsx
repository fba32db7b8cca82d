import { useAtomValue } from 'jotai'

import { BikeCards } from '../features/garage/BikeCards.tsx'
import { garageAtom } from '../features/garage/atoms.ts'
import { GarageTotals } from '../features/garage/GarageTotals.tsx'
import { ToCheck } from '../features/checks/ToCheck.tsx'
import { Lifetimes } from '../features/lifetimes/Lifetimes.tsx'
import { StoredParts } from '../features/parts/StoredParts.tsx'
import { AfterService } from '../features/service/AfterService.tsx'
import { Due } from '../features/service/Due.tsx'
import { dueTitleAtom } from '../features/service/atoms.ts'
import { Spending } from '../features/spending/Spending.tsx'
import styles from './GaragePage.module.css'

/** The landing page: what there is to know about all bikes, in sections. */
export default function GaragePage() {
  const isLoaded = useAtomValue(garageAtom).state !== 'loading'
  const due = useAtomValue(dueTitleAtom(null))
  return (
    <section className={styles.garage} aria-labelledby="garage-heading">
      <title>{`${due}Garage · RWGPS Maintenance Tracker`}</title>
      <div className={styles.top}>
        <h2 id="garage-heading" className="title">
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
