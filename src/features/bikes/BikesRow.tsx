import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { isGarageAtom, openGarageAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'
import type { Bike } from './api.ts'
import styles from './BikesRow.module.css'

/** A typical number of bikes, to limit layout shift. */
const PLACEHOLDERS = [1, 2, 3, 4]

type Props = {
  /** Undefined while loading. */
  bikes: Bike[] | undefined
  /** Due task counts, by gear_id. */
  dueCounts: ReadonlyMap<number, number>
}

export function BikesRow({ bikes, dueCounts }: Props) {
  const isGarage = useAtomValue(isGarageAtom)
  const selected = useAtomValue(selectedBikeAtom)
  const openGarage = useSetAtom(openGarageAtom)
  const select = useSetAtom(selectBikeAtom)
  const [isOpen, setOpen] = useState(false)

  const retired = bikes?.filter((bike) => bike.is_retired) ?? []
  const isListed = (bike: Bike) => !bike.is_retired || isOpen || bike === selected

  return (
    <div className={styles.row}>
      <button type="button" className={styles.choice} aria-pressed={isGarage} onClick={openGarage}>
        Garage
      </button>
      <div
        role="group"
        id="bikes"
        aria-label="Bikes"
        className={styles.bikes}
        aria-busy={bikes === undefined}
      >
        {bikes?.filter(isListed).map((bike) => (
          <button
            key={bike.gear_id}
            ref={bike === selected ? scrollToCenter : null}
            type="button"
            className={styles.choice}
            aria-pressed={bike === selected}
            data-due={dueCounts.get(bike.gear_id)}
            aria-describedby={dueCounts.has(bike.gear_id) ? `due-${bike.gear_id}` : undefined}
            onClick={() => select(bike.gear_id)}
          >
            {bike.name}
          </button>
        )) ?? PLACEHOLDERS.map((key) => <Skeleton key={key} width="8rem" height="2.25rem" />)}
      </div>
      {/* The counts describe the buttons and are not part of their names. */}
      {[...dueCounts].map(([gearId, count]) => (
        <span key={gearId} id={`due-${gearId}`} hidden>{`${count} due`}</span>
      ))}
      {retired.some((bike) => bike !== selected) && (
        <button
          type="button"
          className="quiet pill opener"
          aria-expanded={isOpen}
          aria-controls="bikes"
          onClick={() => setOpen(!isOpen)}
        >
          {`Retired (${retired.length})`}
        </button>
      )}
    </div>
  )
}

function scrollToCenter(button: HTMLElement | null) {
  const row = button?.offsetParent
  if (row) row.scrollLeft = button.offsetLeft - (row.clientWidth - button.offsetWidth) / 2
}
