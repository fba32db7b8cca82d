import { useAtomValue, useSetAtom } from 'jotai'

import { Skeleton } from '../../components/Skeleton.tsx'
import { selectBikeAtom, selectedBikeAtom } from './atoms.ts'
import type { Bike } from './api.ts'
import styles from './BikesRow.module.css'

/** A typical number of bikes, to limit layout shift. */
const PLACEHOLDERS = [1, 2, 3, 4]

/** `bikes` is undefined while loading. */
export function BikesRow({ bikes }: { bikes: Bike[] | undefined }) {
  const selected = useAtomValue(selectedBikeAtom)
  const select = useSetAtom(selectBikeAtom)

  return (
    <div role="group" aria-labelledby="bikes-label" className={styles.row} aria-busy={bikes === undefined}>
      <h2 id="bikes-label" className={styles.label}>
        Bikes
      </h2>
      {bikes?.map((bike) => (
        <button
          key={bike.gear_id}
          type="button"
          className={styles.bike}
          aria-pressed={bike.gear_id === selected?.gear_id}
          onClick={() => select(bike.gear_id)}
        >
          {bike.name}
        </button>
      )) ?? PLACEHOLDERS.map((key) => <Skeleton key={key} width="8rem" height="2.25rem" />)}
    </div>
  )
}
