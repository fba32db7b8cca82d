import { type Header, useTable } from '@tanstack/react-table'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import {
  type FocusEvent,
  Fragment,
  type MouseEvent,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react'

import { isInCalendar } from '../../components/DateInput.tsx'
import { ariaSort, SortArrow } from '../../components/SortArrow.tsx'
import { ROLES } from '../../components/table-roles.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { isTwoLineAtom } from '../../lib/screen.ts'
import { FIELD_NAMES, type Item, isInUse, totalCost } from '../items/fields.ts'
import { jumpToAtom, useJump } from '../items/jump.ts'
import { heldItemAtom } from '../items/open-item.ts'
import { columns, features, type LogTableModel } from './columns.tsx'
import { DeleteDialog } from './DeleteItem.tsx'
import { ItemRow } from './ItemRow.tsx'
import { ignoreComposition, moveFocus } from './keyboard.ts'
import styles from './LogTable.module.css'
import { NewRow } from './NewRow.tsx'
import { isGroupedAtom, orderAtom, SHOW_OPTIONS, showAtom, viewAtom } from './shown-items.ts'

type Props = { bikeId: number; items: Item[]; isUpdating: boolean }

/** The minimum height of a row, in pixels. */
const ROW_HEIGHT = 40
/** The share of the window's height that the first rows fill, so later rows appear out of sight. */
const ROWS_SHARE = 0.9

export function LogTable({ bikeId, items, isUpdating }: Props) {
  const view = useAtomValue(viewAtom(bikeId))
  const isGrouped = useAtomValue(isGroupedAtom)
  const today = useAtomValue(todayAtom)
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const jumpTo = useSetAtom(jumpToAtom)
  useJump()
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
    <div
      className={isTwoLine ? `${styles.log} ${styles.twoLine}` : styles.log}
      data-two-line={isTwoLine ? '' : undefined}
    >
      <div
        className={styles.scroller}
        role="presentation"
        onKeyDownCapture={ignoreComposition}
        onKeyDown={moveFocus}
        {...useHold()}
        onClick={openShortRow}
      >
        <table {...ROLES.table} className={styles.table} aria-busy={isUpdating}>
          <LogHead table={table} />
          <tbody {...ROLES.group}>
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
          <TotalRow items={items} today={today} />
        </table>
      </div>
      <DeleteDialog items={shown} onEmptied={() => jumpTo('new')} />
    </div>
  )
}

/** Opens a closed two-line entry when it is tapped anywhere. */
function openShortRow({ target }: MouseEvent) {
  if (!(target instanceof Element) || target.closest('a, button')) return
  target.closest('[data-short]')?.querySelector('button')?.click()
}

/** Keeps the focused item in the table, even if it no longer matches the filter after an edit. */
function useHold() {
  const hold = useSetAtom(heldItemAtom)
  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest('tr')?.dataset['item']
    if (id !== undefined) hold(Number(id))
  }
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent) => {
    // `document.activeElement` doesn't change when the window loses focus.
    const isKept = document.activeElement === target
    if (!isKept && !currentTarget.contains(relatedTarget) && !isInCalendar(relatedTarget)) hold(null)
  }
  return { onFocus, onBlur }
}

const COST_INDEX = FIELD_NAMES.indexOf('cost')
const AFTER_COST = columns.length - COST_INDEX - 1

function GroupRow({ type, items }: { type: Item['type']; items: readonly Item[] }) {
  const group = items.filter((item) => item.type === type)
  return (
    <tr {...ROLES.row} className={styles.group}>
      <th {...ROLES.rowHeader} scope="rowgroup" colSpan={COST_INDEX} data-type={type ?? ''}>
        {type ?? 'No type'} <span>{group.length}</span>
      </th>
      <td {...ROLES.cell} className={styles.amount}>
        {totalCost(group)}
      </td>
      <td {...ROLES.cell} colSpan={AFTER_COST} />
    </tr>
  )
}

function TotalRow({ items, today }: { items: readonly Item[]; today: Day }) {
  const show = useAtomValue(showAtom)
  const label = SHOW_OPTIONS.find(({ value }) => value === show)?.label
  return (
    <tfoot {...ROLES.group}>
      <tr {...ROLES.row}>
        <th {...ROLES.rowHeader} scope="row" colSpan={COST_INDEX}>
          Total Cost:
        </th>
        <td {...ROLES.cell} className={styles.amount}>
          {totalCost(items)}
        </td>
        <td {...ROLES.cell} className={styles.shown} colSpan={AFTER_COST}>
          {show !== 'all' &&
            `${label}: ${totalCost(items.filter((item) => isInUse(item, today) === (show === 'in-use')))}`}
        </td>
      </tr>
    </tfoot>
  )
}

function LogHead({ table }: { table: LogTableModel }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const isTwoLine = useAtomValue(isTwoLineAtom)
  return (
    <>
      <colgroup>
        {headers.map(({ id }) => (
          <col key={id} className={styles[id]} />
        ))}
      </colgroup>
      <thead {...ROLES.group} className={isTwoLine ? 'visually-hidden' : undefined}>
        <tr {...ROLES.row}>
          {headers.map((header) => (
            <HeaderCell key={header.id} header={header} FlexRender={table.FlexRender} />
          ))}
        </tr>
      </thead>
    </>
  )
}

type CellProps = { header: Header<typeof features, Item>; FlexRender: LogTableModel['FlexRender'] }

function HeaderCell({ header, FlexRender }: CellProps) {
  const [order, setOrder] = useAtom(orderAtom)
  const isTwoLine = useAtomValue(isTwoLineAtom)
  const { order: key, isNumber } = header.column.columnDef.meta ?? {}
  const direction = order.key === key && (order.desc ? 'desc' : 'asc')

  return (
    <th
      {...ROLES.header}
      scope="col"
      className={isNumber ? 'number' : undefined}
      aria-sort={ariaSort(direction)}
    >
      {key === undefined || isTwoLine ? (
        <span className="visually-hidden">
          <FlexRender header={header} />
        </span>
      ) : (
        <button type="button" className="sort" onClick={() => setOrder({ key, desc: direction === 'asc' })}>
          <span>
            <FlexRender header={header} />
          </span>
          <SortArrow direction={direction} />
        </button>
      )}
    </th>
  )
}
