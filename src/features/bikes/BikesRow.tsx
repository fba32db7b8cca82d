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
  /** How many tasks are due, by gear_id. */
  dueCounts: ReadonlyMap<number, number>
}

/** The Garage, the bikes, and the retired bikes on request. */
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
            aria-describedby={dueCounts.has(bike.gear_id) ? `due-${bike.gear_id}` : undefined}
            onClick={() => select(bike.gear_id)}
          >
            {bike.name}
            <DueCount gearId={bike.gear_id} count={dueCounts.get(bike.gear_id) ?? 0} />
          </button>
        )) ?? PLACEHOLDERS.map((key) => <Skeleton key={key} width="8rem" height="2.25rem" />)}
      </div>
      {retired.some((bike) => bike !== selected) && (
        <button
          type="button"
          className={styles.retired}
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

/** Hidden from the button's name, which is the bike's. It describes the button instead. */
function DueCount({ gearId, count }: { gearId: number; count: number }) {
  if (count === 0) return null
  return (
    <span aria-hidden className={styles.due}>
      {count}
      <span id={`due-${gearId}`} hidden>{`${count} due`}</span>
    </span>
  )
}

/** Brings the selected bike into view, since the row scrolls on narrow screens. */
function scrollToCenter(button: HTMLElement | null) {
  const row = button?.offsetParent
  if (row) row.scrollLeft = button.offsetLeft - (row.clientWidth - button.offsetWidth) / 2
}
