import { type Row, useTable } from '@tanstack/react-table'
import { useAtomValue, useSetAtom } from 'jotai'
import { type FocusEvent, Fragment, memo, startTransition, useEffect, useMemo, useState } from 'react'

import { isInCalendar } from '../../components/DateInput.tsx'
import { addAmounts } from '../../lib/amount.ts'
import { todayAtom } from '../../lib/clock.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { columns, features } from './columns.tsx'
import { DeleteDialog } from './DeleteItem.tsx'
import { DetailsRow, isItemOpenAtom } from './Details.tsx'
import { FIELD_NAMES, type Item } from './fields.ts'
import { ignoreComposition, moveFocus } from './keyboard.ts'
import { LogHead, type LogTableModel } from './LogHead.tsx'
import styles from './LogTable.module.css'
import { goToNewRow, NewRow } from './NewRow.tsx'
import { heldItemAtom, isGroupedAtom, isInUse, SHOW_OPTIONS, showAtom, viewAtom } from './view.ts'

type Props = { bikeId: number; items: Item[]; isUpdating: boolean }

/** The minimum height of a row, in pixels. */
const ROW_HEIGHT = 40
/** The share of the window's height that the rows fill. */
const ROWS_SHARE = 0.7

export function LogTable({ bikeId, items, isUpdating }: Props) {
  const view = useAtomValue(viewAtom(bikeId))
  const isGrouped = useAtomValue(isGroupedAtom)
  const today = useAtomValue(todayAtom)
  const shown = useMemo(() => view(items), [view, items])
  const table = useTable({ features, columns, data: shown, getRowId: (item) => String(item.id) })
  // Long logs render in chunks: first the visible rows, then twice as many each time, without blocking input.
  const [limit, setLimit] = useState(() =>
    Math.max(1, Math.ceil((ROWS_SHARE * window.innerHeight) / ROW_HEIGHT)),
  )
  const rows = table.getRowModel().rows.slice(0, limit)
  useEffect(() => {
    if (limit < items.length) startTransition(() => setLimit(limit * 2))
  }, [limit, items.length])

  return (
    <div className={styles.log}>
      <div
        className={styles.scroller}
        role="presentation"
        onKeyDownCapture={ignoreComposition}
        onKeyDown={moveFocus}
        {...useHold()}
      >
        <table className={styles.table} aria-busy={isUpdating}>
          <LogHead table={table} />
          <tbody>
            {rows.map((row, index) => {
              const { type } = row.original
              const isFirst = isGrouped && (index === 0 || rows[index - 1]?.original.type !== type)
              return (
                <Fragment key={row.id}>
                  {isFirst && <GroupRow type={type} items={shown} />}
                  <ItemRow row={row} isEnded={!isInUse(row.original, today)} FlexRender={table.FlexRender} />
                </Fragment>
              )
            })}
            <NewRow bikeId={bikeId} />
          </tbody>
          <TotalRow items={items} shown={shown} />
        </table>
      </div>
      <DeleteDialog items={shown} onEmptied={goToNewRow} />
    </div>
  )
}

/** Holds the item that has the focus, so it stays while the owner works on it. */
function useHold() {
  const hold = useSetAtom(heldItemAtom)
  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest('tr')?.dataset['item']
    if (id !== undefined) hold(Number(id))
  }
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent) => {
    // When the window loses the focus, the element keeps it.
    const isKept = document.activeElement === target
    if (!isKept && !currentTarget.contains(relatedTarget) && !isInCalendar(relatedTarget)) hold(null)
  }
  return { onFocus, onBlur }
}

type RowProps = {
  row: Row<typeof features, Item>
  isEnded: boolean
  FlexRender: LogTableModel['FlexRender']
}

/** Every item is a new object after a reload, so rows are compared by value. */
const ItemRow = memo(
  function ItemRow({ row, isEnded, FlexRender }: RowProps) {
    const item = row.original
    const isOpen = useAtomValue(isItemOpenAtom(item.id))
    return (
      <>
        <tr data-item={item.id} data-ended={isEnded ? '' : undefined}>
          {row.getAllCells().map((cell) => (
            <FlexRender key={cell.id} cell={cell} />
          ))}
        </tr>
        {isOpen && <DetailsRow item={item} />}
      </>
    )
  },
  (before, after) => before.isEnded === after.isEnded && isSame(before.row.original, after.row.original),
)

function isSame(a: Item, b: Item): boolean {
  return a.id === b.id && FIELD_NAMES.every((field) => a[field] === b[field])
}

const COST_INDEX = FIELD_NAMES.indexOf('cost')
const AFTER_COST = columns.length - COST_INDEX - 1

/** The heading of a group of items, with their cost. */
function GroupRow({ type, items }: { type: Item['type']; items: readonly Item[] }) {
  const group = items.filter((item) => item.type === type)
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={COST_INDEX} data-type={type ?? ''}>
        {type ?? 'No type'} <span>{group.length}</span>
      </th>
      <td className={styles.amount}>{costOf(group)}</td>
      <td colSpan={AFTER_COST} />
    </tr>
  )
}

function TotalRow({ items, shown }: { items: readonly Item[]; shown: readonly Item[] }) {
  const show = useAtomValue(showAtom)
  const label = SHOW_OPTIONS.find(({ value }) => value === show)?.label
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={COST_INDEX}>
          Total Cost:
        </th>
        <td className={styles.amount}>{costOf(items)}</td>
        <td className={styles.shown} colSpan={AFTER_COST}>
          {show !== 'all' && `${label}: ${costOf(shown)}`}
        </td>
      </tr>
    </tfoot>
  )
}

function costOf(items: readonly Item[]): string {
  return formatCurrency(addAmounts(items.map(({ cost }) => cost)))
}
