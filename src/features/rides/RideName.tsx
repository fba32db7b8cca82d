import { useAtomValue } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import type { Ride } from './api.ts'
import styles from './RidesTable.module.css'

/** The ride's name, as the link to its page; a ride without a name is called by its number. */
export function RideName({ ride }: { ride: Pick<Ride, 'id' | 'name'> }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  return (
    <a
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
