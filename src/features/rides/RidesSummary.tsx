import { useAtomValue } from 'jotai'

import { formatCount } from '../../lib/formats.ts'
import type { ShownRides } from './atoms.ts'
import { drillDownAtom } from './drill-down.ts'
import { activeFiltersAtom, chosenGearAtom } from './filter-atoms.ts'
import styles from './RidesList.module.css'
import { sortNameAtom } from './SortField.tsx'

/** The number and order of the shown rides. Also announced, since screen reader users cannot see the table change. */
export function RidesSummary({ shown }: { shown: ShownRides }) {
  const { rows, total, read } = shown
  const sortName = useAtomValue(sortNameAtom)
  const count =
    rows.length === total
      ? `${formatCount(total)} ${total === 1 ? 'ride' : 'rides'}`
      : `${formatCount(rows.length)} of ${formatCount(total)} rides`

  return (
    <p className={styles.summary} aria-live="polite">
      {count}
      <OtherGear />
      {read < total ? (
        <span className={styles.soft}>{`, ${formatCount(total - read)} still loading`}</span>
      ) : (
        <span className="visually-hidden">{`, sorted by ${sortName}`}</span>
      )}
    </p>
  )
}

/** Says whose rides these are if they are not those of the bike above. */
function OtherGear() {
  const isDrillDown = useAtomValue(drillDownAtom).state === 'on'
  const isOther = useAtomValue(activeFiltersAtom).includes('gear')
  const { value, label } = useAtomValue(chosenGearAtom)
  if (isDrillDown || !isOther) return null
  return { all: ' on all bikes', none: ' without a bike' }[value] ?? ` on ${label}`
}
