import { useAtomValue } from 'jotai'
import { use } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import type { Ride } from './api.ts'
import styles from './RidesTable.module.css'
import { RowStopContext } from './row-keys.ts'

/** The ride's name, as the link to its page; a ride without a name is called by its number. */
export function RideName({ ride }: { ride: Pick<Ride, 'id' | 'name'> }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const isStop = use(RowStopContext)
  return (
    <a
      tabIndex={isStop ? 0 : -1}
      className={styles.name}
      dir="auto"
      href={`${rwgpsUrl}/trips/${ride.id}`}
      target="_blank"
      rel="noopener"
      title={ride.name ?? undefined}
    >
      {ride.name?.trim() ? ride.name : `Ride ${ride.id}`}
    </a>
  )
}
