import { useTable } from '@tanstack/react-table'
import { startTransition, useEffect, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { formatCurrency } from '../../lib/formats.ts'
import type { Item } from './api.ts'
import { columns } from './columns.tsx'
import { totalCost } from './costs.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { ignoreComposition, moveFocus } from './grid-keys.ts'
import { LogRow } from './LogRow.tsx'
import { LogTableHead } from './LogTableHead.tsx'
import styles from './LogTable.module.css'
import { NewRow } from './NewRow.tsx'
import { features } from './table.ts'

type Props = { bikeId: number; items: Item[]; isUpdating: boolean }

/** The least height of a row, in pixels. */
const ROW_HEIGHT = 44
/** Of the window's height, what is left for the rows. */
const SHARE = 0.6

export function LogTable({ bikeId, items, isUpdating }: Props) {
  const table = useTable({ features, columns, data: items, getRowId: (item) => String(item.id) })
  const readOnly = useReadOnly()
  const newRow = useRef<HTMLTableRowElement>(null)
  // A log appears at once with the rows that are in sight; the others follow, each step twice as many, without holding up
  // what is typed.
  const [limit, setLimit] = useState(() => Math.max(1, Math.ceil((SHARE * window.innerHeight) / ROW_HEIGHT)))
  const rows = table.getRowModel().rows.slice(0, limit)
  useEffect(() => {
    if (limit < items.length) startTransition(() => setLimit(limit * 2))
  }, [limit, items.length])

  const goToNewRow = () => {
    const name = newRow.current?.querySelector('input')
    name?.focus({ preventScroll: true })
    name?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }

  return (
    <div className={styles.log}>
      <button type="button" className={styles.add} {...readOnly} onClick={goToNewRow}>
        +ADD ROW
      </button>
      <div
        className={styles.scroller}
        role="presentation"
        onKeyDownCapture={ignoreComposition}
        onKeyDown={moveFocus}
      >
        <table className={styles.table} aria-busy={isUpdating}>
          <LogTableHead table={table} />
          <tbody>
            {rows.map((row) => (
              <LogRow key={row.id} row={row} FlexRender={table.FlexRender} />
            ))}
            <NewRow bikeId={bikeId} row={newRow} />
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                Total Cost:
              </th>
              <td className={styles.cost}>
                <span>{formatCurrency(totalCost(items))}</span>
              </td>
              <td colSpan={columns.length - 4} />
            </tr>
          </tfoot>
        </table>
      </div>
      <DeleteDialog items={items} onEmptied={goToNewRow} />
    </div>
  )
}
