import type { Column, Row } from '@tanstack/react-table'
import { FlexRender } from '@tanstack/react-table'
import { memo } from 'react'

import type { RideRow } from './rows.ts'
import styles from './RidesTable.module.css'
import type { features } from './table.ts'

type Props = {
  row: Row<typeof features, RideRow>
  ride: RideRow
  /** The row's number in the whole table, headers included. */
  place: number
  /** The shown columns; others mean other cells. */
  columns: readonly Column<typeof features, RideRow>[]
}

export const RidesTableRow = memo(
  function RidesTableRow({ row, place }: Props) {
    return (
      <tr className={styles.row} aria-rowindex={place}>
        {row.getVisibleCells().map((cell) => {
          const meta = cell.column.columnDef.meta
          return (
            <td
              key={cell.id}
              className={meta?.isNumber ? styles.number : meta?.isPinned ? styles.pinned : ''}
            >
              <FlexRender cell={cell} />
            </td>
          )
        })}
      </tr>
    )
  },
  // While it scrolls the table makes new rows of the same rides.
  (before, after) =>
    before.ride === after.ride && before.place === after.place && before.columns === after.columns,
)
