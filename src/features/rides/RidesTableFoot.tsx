import type { Column } from '@tanstack/react-table'
import { memo } from 'react'

import { formatCount } from '../../lib/formats.ts'
import type { RideRow } from './rows.ts'
import styles from './RidesTable.module.css'
import type { features } from './table.ts'
import type { RideTotals } from './totals.ts'

type Props = {
  count: number
  totals: RideTotals
  columns: readonly Column<typeof features, RideRow>[]
}

export const RidesTableFoot = memo(function RidesTableFoot({ count, totals, columns }: Props) {
  return (
    <tfoot>
      <tr aria-rowindex={count + 2}>
        {columns.map((column) => {
          const meta = column.columnDef.meta
          return column.id === 'name' ? (
            <th key={column.id} scope="row" className={styles.pinned}>
              {`Total: ${formatCount(count)} ${count === 1 ? 'ride' : 'rides'}`}
            </th>
          ) : (
            <td key={column.id} className={meta?.isNumber ? styles.number : ''}>
              {meta?.total?.(totals)}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
})
