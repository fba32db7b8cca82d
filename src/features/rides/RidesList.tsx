import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { sentenceFor } from '../../lib/errors.ts'
import { rereadRidesAtom, shownRidesAtom } from './atoms.ts'
import { RideFilters } from './RideFilters.tsx'
import styles from './RidesList.module.css'
import { RidesTable } from './RidesTable.tsx'

/** The filters, and the table of the rides that they let through. */
export function RidesList() {
  return (
    <div className={styles.list}>
      <RideFilters />
      <Rides />
    </div>
  )
}

function Rides() {
  const rides = useAtomValue(shownRidesAtom)
  const reread = useSetAtom(rereadRidesAtom)

  if (rides.state === 'loading') return <Skeleton width="100%" height="60dvh" />
  if (rides.state === 'failed') {
    return (
      <Notice action={{ label: 'Try again', run: () => void reread() }}>
        {`The rides could not be read. ${sentenceFor(rides.error)}`}
      </Notice>
    )
  }
  const { rows, totals } = rides.data
  if (rows.length === 0) return <Notice>No rides here. Choose another gear or other dates.</Notice>
  return <RidesTable rows={rows} totals={totals} isUpdating={rides.updating} />
}
