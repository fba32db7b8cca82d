import { useAtomValue, useSetAtom } from 'jotai'

import { Failure } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { useFormats } from '../../lib/formats.ts'
import { usageAtom } from '../items/usage.ts'
import { drillDownHref, ridesSortAtom } from '../items/links.ts'
import styles from './TotalMiles.module.css'

export function TotalMiles({ gearId }: { gearId: number }) {
  const usage = useAtomValue(usageAtom(gearId))
  const { name, distance } = useFormats()
  const sort = useAtomValue(ridesSortAtom)
  const reload = useSetAtom(usageAtom(gearId).reloadAtom)

  if (usage.state === 'loading') {
    return (
      <p className={styles.total} aria-busy>
        Total {name} <Skeleton width="6.25rem" height="1rem" />
      </p>
    )
  }
  const isReady = usage.state === 'ready'
  const meters = isReady ? usage.data.total.distance : null
  const failure = isReady ? usage.failure : usage.error
  return (
    <>
      <p className={styles.total} aria-busy={isReady && usage.updating}>
        <a href={drillDownHref(gearId, 'all', sort)}>{`Total ${name} ${distance.format(meters)}`}</a>{' '}
        {isReady && usage.data.total.rides === 0 && <span className="note">No rides yet</span>}
      </p>
      {failure && (
        <Failure what={`${name} and times could not be calculated.`} error={failure} retry={reload} isLine />
      )}
    </>
  )
}
