import { useAtomValue } from 'jotai'

import { formatCount } from '../../lib/formats.ts'
import type { ShownRides } from './atoms.ts'
import { columnsAtom } from './columns.tsx'
import { chosenSortAtom } from './filter-atoms.ts'
import styles from './RidesList.module.css'

/** The number and order of the shown rides. Also announced, since screen reader users cannot see the table change. */
export function RidesSummary({ shown }: { shown: ShownRides }) {
  const { rows, total, read } = shown
  const { key, desc } = useAtomValue(chosenSortAtom)
  const columns = useAtomValue(columnsAtom)
  const header = String(columns.find((column) => column.id === key)?.header)
  const count =
    rows.length === total
      ? `${formatCount(total)} ${total === 1 ? 'ride' : 'rides'}`
      : `${formatCount(rows.length)} of ${formatCount(total)} rides`

  return (
    <p className={styles.summary} aria-live="polite">
      {count}
      <span className={styles.soft}>
        {read < total
          ? `, ${formatCount(total - read)} still loading`
          : `, sorted by ${header}, ${desc ? 'descending' : 'ascending'}`}
      </span>
    </p>
  )
}
