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
  /** 1-based, including the header row. */
  rowIndex: number
  isStop: boolean
  columns: readonly Column<typeof features, RideRow>[]
}

export const RidesTableRow = memo(
  function RidesTableRow({ row, rowIndex, isStop }: Props) {
    return (
      <tr className={styles.row} aria-rowindex={rowIndex}>
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
  // TanStack Table creates new row objects for the same rides while scrolling.
  (before, after) =>
    before.ride === after.ride &&
    before.rowIndex === after.rowIndex &&
    before.isStop === after.isStop &&
    before.columns === after.columns,
)
