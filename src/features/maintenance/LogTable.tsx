import { useTable } from '@tanstack/react-table'

import { formatCurrency } from '../../lib/formats.ts'
import type { Item } from './api.ts'
import { columns } from './columns.tsx'
import { totalCost } from './costs.ts'
import styles from './LogTable.module.css'
import { features } from './table.ts'

export function LogTable({ items, isUpdating }: { items: Item[]; isUpdating: boolean }) {
  const table = useTable({ features, columns, data: items, getRowId: (item) => String(item.id) })
  return (
    <div className={styles.scroller}>
      <table className={styles.table} aria-busy={isUpdating}>
        <thead>
          <tr>
            {table.getHeaderGroups()[0]?.headers.map((header) => (
              <th key={header.id} scope="col">
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Total Cost:
            </th>
            <td colSpan={5}>{formatCurrency(totalCost(items))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
