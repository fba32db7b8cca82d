import { useAtomValue } from 'jotai'

import { formatCount } from '../../lib/formats.ts'
import type { ShownRides } from './atoms.ts'
import { columnsAtom } from './columns.tsx'
import { chosenSortAtom } from './filter-atoms.ts'
import styles from './RidesList.module.css'

/** How many rides are shown and in which order: for the eye, and told to who cannot see the table change. */
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
          ? `, ${formatCount(total - read)} still on their way`
          : `, by ${header}, ${desc ? 'descending' : 'ascending'}`}
      </span>
    </p>
  )
}
