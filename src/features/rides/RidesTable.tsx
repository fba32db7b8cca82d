import { type SortingState, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'

import { columns } from './columns.tsx'
import { RidesTableFoot } from './RidesTableFoot.tsx'
import { RidesTableHead } from './RidesTableHead.tsx'
import type { RideRow } from './rows.ts'
import { features } from './table.ts'
import styles from './RidesTable.module.css'
import type { RideTotals } from './totals.ts'

/** Rows are of one height, so that the place of every row is known without drawing it. */
const ROW_HEIGHT = 57
const NEWEST_NAME_FIRST: SortingState = [{ id: 'name', desc: true }]

type Props = { rows: RideRow[]; totals: RideTotals; isUpdating: boolean }

/** A real table of which only the rows in sight are in the document; spacer rows stand for the others. */
export function RidesTable({ rows: data, totals, isUpdating }: Props) {
  const [sorting, setSorting] = useState(NEWEST_NAME_FIRST)
  const table = useTable({
    features,
    columns,
    data,
    getRowId: (ride) => String(ride.id),
    state: { sorting },
    onSortingChange: setSorting,
  })
  const scroller = useRef<HTMLDivElement>(null)
  const { rows } = table.getRowModel()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)

  return (
    // Scrolled by keyboard too, so it takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label="Rides table">
      <table
        className={styles.table}
        style={{ width: table.getTotalSize() }}
        aria-rowcount={rows.length + 2}
        aria-busy={isUpdating}
      >
        <colgroup>
          {table.getAllLeafColumns().map((column) => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
        </colgroup>
        <RidesTableHead table={table} />
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map(({ index }) => {
            const row = rows[index]
            return (
              row && (
                <tr key={row.id} className={styles.row} aria-rowindex={index + 2}>
                  {row.getAllCells().map((cell) => (
                    <td key={cell.id} className={cell.column.columnDef.meta?.isNumber ? styles.number : ''}>
                      <table.FlexRender cell={cell} />
                    </td>
                  ))}
                </tr>
              )
            )
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
        <RidesTableFoot count={rows.length} totals={totals} />
      </table>
    </div>
  )
}
