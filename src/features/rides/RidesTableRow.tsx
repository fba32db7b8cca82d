import { type Column, FlexRender, type Row } from '@tanstack/react-table'
import { memo } from 'react'

import styles from './RidesTable.module.css'
import { RowStopContext } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import type { features } from './table-columns.ts'

type CellsProps = {
  row: Row<typeof features, RideRow>
  columns: readonly Column<typeof features, RideRow>[]
}

type RowProps = CellsProps & { index: number; isStop: boolean }

/** The aria-rowindex of the first ride; the header row is 1. */
const FIRST_ROW = 2

export const RidesTableRow = memo(
  function RidesTableRow({ index, isStop, ...cells }: RowProps) {
    return (
      <tr className={styles.row} aria-rowindex={index + FIRST_ROW} data-row={index}>
        <RowStopContext value={isStop}>
          <Cells {...cells} />
        </RowStopContext>
      </tr>
    )
  },
  (before, after) => isSame(before, after) && before.index === after.index && before.isStop === after.isStop,
)

/** Memoized, because the tab stop moves to other rows while scrolling. */
const Cells = memo(function Cells({ row }: CellsProps) {
  return row.getVisibleCells().map((cell) => {
    const meta = cell.column.columnDef.meta
    const Cell = cell.column.id === 'name' ? 'th' : 'td'
    return (
      <Cell
        key={cell.id}
        scope={Cell === 'th' ? 'row' : undefined}
        className={meta?.isNumber ? 'number' : meta?.isPinned ? styles.pinned : ''}
      >
        <FlexRender cell={cell} />
      </Cell>
    )
  })
}, isSame)

/** TanStack Table creates new row objects for the same rides while scrolling. */
function isSame(before: CellsProps, after: CellsProps): boolean {
  return before.row.original === after.row.original && before.columns === after.columns
}
