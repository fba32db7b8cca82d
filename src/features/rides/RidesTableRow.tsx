import type { Column, Row } from '@tanstack/react-table'
import { FlexRender } from '@tanstack/react-table'
import { memo } from 'react'

import { RowStopContext } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import styles from './RidesTable.module.css'
import type { features } from './table.ts'

type Props = {
  row: Row<typeof features, RideRow>
  ride: RideRow
  /** The row's number in the whole table, headers included. */
  place: number
  isStop: boolean
  /** The shown columns; others mean other cells. */
  columns: readonly Column<typeof features, RideRow>[]
}

export const RidesTableRow = memo(
  function RidesTableRow({ row, place, isStop }: Props) {
    return (
      <tr className={styles.row} aria-rowindex={place}>
        {row.getVisibleCells().map((cell) => {
          const meta = cell.column.columnDef.meta
          return (
            <td
              key={cell.id}
              className={meta?.isNumber ? styles.number : meta?.isPinned ? styles.pinned : ''}
            >
              <RowStopContext value={isStop}>
                <FlexRender cell={cell} />
              </RowStopContext>
            </td>
          )
        })}
      </tr>
    )
  },
  // While it scrolls the table makes new rows of the same rides.
  (before, after) =>
    before.ride === after.ride &&
    before.place === after.place &&
    before.isStop === after.isStop &&
    before.columns === after.columns,
)
