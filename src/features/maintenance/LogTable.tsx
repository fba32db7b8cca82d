import { type ReactTable, type Row, useTable } from '@tanstack/react-table'
import { useAtomValue } from 'jotai'
import { memo, startTransition, useEffect, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { addAmounts } from '../../lib/amount.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { columns, features } from './columns.tsx'
import { DetailsRow, isItemOpenAtom } from './Details.tsx'
import { DeleteDialog } from './DeleteItem.tsx'
import { FIELD_NAMES, type Item } from './fields.ts'
import { rowId, useJump } from './jump.ts'
import { ignoreComposition, moveFocus } from './keyboard.ts'
import styles from './LogTable.module.css'
import { NewRow } from './NewRow.tsx'

type Props = { bikeId: number; items: Item[]; isUpdating: boolean }

/** The minimum height of a row, in pixels. */
const ROW_HEIGHT = 44
/** The share of the window's height that the rows fill. */
const ROWS_SHARE = 0.6

export function LogTable({ bikeId, items, isUpdating }: Props) {
  const table = useTable({ features, columns, data: items, getRowId: (item) => String(item.id) })
  const readOnly = useReadOnly()
  useJump()
  const newRow = useRef<HTMLTableRowElement>(null)
  // Long logs render in chunks: first the visible rows, then twice as many each time, without blocking input.
  const [limit, setLimit] = useState(() =>
    Math.max(1, Math.ceil((ROWS_SHARE * window.innerHeight) / ROW_HEIGHT)),
  )
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
          <Head table={table} />
          <tbody>
            {rows.map((row) => (
              <ItemRow key={row.id} row={row} FlexRender={table.FlexRender} />
            ))}
            <NewRow bikeId={bikeId} row={newRow} />
          </tbody>
          <TotalRow items={items} />
        </table>
      </div>
      <DeleteDialog items={items} onEmptied={goToNewRow} />
    </div>
  )
}

type Table = ReactTable<typeof features, Item>

function Head({ table }: { table: Table }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <>
      <colgroup>
        {headers.map(({ id, column }) => (
          <col key={id} style={{ width: column.columnDef.meta?.width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {headers.map((header) => {
            const meta = header.column.columnDef.meta
            return (
              <th key={header.id} scope="col" className={meta?.align && styles[meta.align]}>
                <span className={meta?.isHeaderHidden ? 'visually-hidden' : ''}>
                  <table.FlexRender header={header} />
                </span>
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}

type RowProps = { row: Row<typeof features, Item>; FlexRender: Table['FlexRender'] }

/** Every item is a new object after a reload, so rows are compared by value. */
const ItemRow = memo(
  function ItemRow({ row, FlexRender }: RowProps) {
    const item = row.original
    const isOpen = useAtomValue(isItemOpenAtom(item.id))
    return (
      <>
        <tr id={rowId(item.id)}>
          {row.getAllCells().map((cell) => (
            <FlexRender key={cell.id} cell={cell} />
          ))}
        </tr>
        {isOpen && <DetailsRow item={item} />}
      </>
    )
  },
  (before, after) => isSame(before.row.original, after.row.original),
)

function isSame(a: Item, b: Item): boolean {
  return a.id === b.id && FIELD_NAMES.every((field) => a[field] === b[field])
}

const COST_INDEX = FIELD_NAMES.indexOf('cost')

function TotalRow({ items }: { items: Item[] }) {
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={COST_INDEX}>
          Total Cost:
        </th>
        <td className={styles.cost}>
          <span>{formatCurrency(addAmounts(items.map(({ cost }) => cost)))}</span>
        </td>
        <td colSpan={columns.length - COST_INDEX - 1} />
      </tr>
    </tfoot>
  )
}
