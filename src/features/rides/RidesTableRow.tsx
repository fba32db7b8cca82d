import { type Column, FlexRender, type Row } from '@tanstack/react-table'
import { memo } from 'react'

import { ROLES } from '../../components/table-roles.ts'
import type { features } from './columns.tsx'
import styles from './RidesTable.module.css'
import { RowStopContext } from './row-keys.ts'
import type { RideRow } from './rows.ts'

type CellsProps = {
  row: Row<typeof features, RideRow>
  columns: readonly Column<typeof features, RideRow>[]
}

/** `rowIndex` is 1-based, including the header row. */
type RowProps = CellsProps & { rowIndex: number; isStop: boolean }

export const RidesTableRow = memo(
  function RidesTableRow({ rowIndex, isStop, ...cells }: RowProps) {
    return (
      <tr {...ROLES.row} className={styles.row} aria-rowindex={rowIndex}>
        <RowStopContext value={isStop}>
          <Cells {...cells} />
        </RowStopContext>
      </tr>
    )
  },
  (before, after) =>
    isSame(before, after) && before.rowIndex === after.rowIndex && before.isStop === after.isStop,
)

/** Memoized, because the tab stop moves to other rows while scrolling. */
const Cells = memo(function Cells({ row }: CellsProps) {
  return row.getVisibleCells().map((cell) => {
    const meta = cell.column.columnDef.meta
    return (
      <td
        key={cell.id}
        {...ROLES.cell}
        className={meta?.isNumber ? 'number' : meta?.isPinned ? styles.pinned : ''}
      >
        <FlexRender cell={cell} />
      </td>
    )
  })
}, isSame)

/** TanStack Table creates new row objects for the same rides while scrolling. */
function isSame(before: CellsProps, after: CellsProps): boolean {
  return before.row.original === after.row.original && before.columns === after.columns
}
