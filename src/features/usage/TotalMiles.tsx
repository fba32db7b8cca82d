import { useAtomValue } from 'jotai'

import { Skeleton } from '../../components/Skeleton.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { usageAtom } from './atoms.ts'
import { ridesBehindHref } from './links.ts'
import styles from './TotalMiles.module.css'

/** The distance over all rides of a bike, which it leads to; its words and its number are one text. */
export function TotalMiles({ gearId }: { gearId: number }) {
  const usage = useAtomValue(usageAtom(gearId))
  const { name, distance } = useAtomValue(unitsAtom)

  if (usage.state === 'loading') {
    return (
      <p className={styles.total} aria-busy>
        Total {name} <Skeleton width="6.25rem" height="1rem" />
      </p>
    )
  }
  const isReady = usage.state === 'ready'
  const metres = isReady ? usage.data.total.distance : null
  return (
    <p className={styles.total} aria-busy={isReady && usage.updating}>
      <a href={ridesBehindHref(gearId, 'all')}>{`Total ${name} ${distance.format(metres)}`}</a>
    </p>
  )
}
