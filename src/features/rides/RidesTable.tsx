import { type Column, FlexRender, type Row, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Fragment, type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react'

import { formatCount } from '../../lib/formats.ts'
import {
  columnsAtom,
  columnWidth,
  features,
  MAX_WIDTH,
  MIN_WIDTH,
  sizingAtom,
  tableWidth,
  visibilityAtom,
} from './columns.tsx'
import { chosenSortAtom, sortRidesAtom } from './filters.ts'
import styles from './RidesTable.module.css'
import { RidesTableHead } from './RidesTableHead.tsx'
import { FIRST_ROW, RowStopContext, useRowKeys } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import type { Sort, SortKey } from './sort.ts'
import type { RideTotals } from './totals.ts'

/** Fixed, so the position of a row is known before it renders: 3.5rem, rounded as browsers round it. */
const ROW_HEIGHT = Math.round(3.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
/** The assumed height until the scroller is measured, about that of a phone. */
const INITIAL_HEIGHT = 10 * ROW_HEIGHT

type Props = { rows: RideRow[]; totals: RideTotals; isUpdating: boolean; describedBy: string }

/**
 * A virtualized table: only visible rows are in the document, with spacer rows for the rest. TanStack Table gets only the
 * visible rows and handles columns; atoms handle order and filters.
 */
export function RidesTable({ rows, totals, isUpdating, describedBy }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rangeExtractor, stopIn, listeners } = useRowKeys(rows)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    rangeExtractor,
    initialRect: { width: 0, height: INITIAL_HEIGHT },
  })
  const items = virtual.getVirtualItems()
  const stop = stopIn(virtual.range)
  const data = useMemo(() => items.flatMap(({ index }) => rows[index] ?? []), [rows, items])

  const sort = useAtomValue(chosenSortAtom)
  const table = useRidesTable(data, sort)
  const rowModel = table.getRowModel().rows
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const shown = table.getVisibleLeafColumns()

  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [sort])

  return (
    // Focusable, so it can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={styles.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Rides table"
      onKeyDown={jump}
    >
      <table
        className={styles.table}
        style={{ width: tableWidth(shown) }}
        aria-rowcount={rows.length + 2}
        aria-colcount={shown.length}
        aria-busy={isUpdating}
        aria-describedby={describedBy}
      >
        <colgroup>
          {shown.map((column) => (
            <col key={column.id} style={{ width: columnWidth(column) }} />
          ))}
        </colgroup>
        <RidesTableHead headers={table.getHeaderGroups()[0]?.headers ?? []} sort={sort} />
        <tbody {...listeners}>
          {items.map(({ index, start }, position) => {
            const row = rowModel[position]
            const above = start - (items[position - 1]?.end ?? 0)
            return (
              row && (
                <Fragment key={row.id}>
                  {above > 0 && <tr aria-hidden style={{ height: above }} />}
                  <RidesTableRow
                    row={row}
                    ride={row.original}
                    rowIndex={index + FIRST_ROW}
                    isStop={index === stop}
                    columns={shown}
                  />
                </Fragment>
              )
            )
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
        <RidesTableFoot count={rows.length} totals={totals} columns={shown} />
      </table>
    </div>
  )
}

/** Home and End scroll immediately. Browsers animate it, and Chromium drops the key while another scroll is animated. */
function jump(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event
  const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
  if (target !== currentTarget || !isPlain || (key !== 'Home' && key !== 'End')) return
  event.preventDefault()
  currentTarget.scrollTo({ top: key === 'Home' ? 0 : currentTarget.scrollHeight, behavior: 'instant' })
}

function useRidesTable(data: RideRow[], sort: Sort) {
  const setSort = useSetAtom(sortRidesAtom)
  const columns = useAtomValue(columnsAtom)
  const [columnVisibility, onColumnVisibilityChange] = useAtom(visibilityAtom)
  const [columnSizing, onColumnSizingChange] = useAtom(sizingAtom)
  const sorting = useMemo(() => [{ id: sort.key, desc: sort.desc }], [sort])

  return useTable({
    features,
    columns,
    data,
    defaultColumn: { minSize: MIN_WIDTH, maxSize: MAX_WIDTH },
    getRowId: (ride) => String(ride.id),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    columnResizeMode: 'onChange',
    state: { sorting, columnVisibility, columnSizing },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sorting) : update
      if (next) setSort({ key: next.id as SortKey, desc: next.desc })
    },
    onColumnVisibilityChange,
    onColumnSizingChange,
  })
}

type CellsProps = {
  row: Row<typeof features, RideRow>
  ride: RideRow
  columns: readonly Column<typeof features, RideRow>[]
}

/** `rowIndex` is 1-based, including the header row. */
type RowProps = CellsProps & { rowIndex: number; isStop: boolean }

const RidesTableRow = memo(
  function RidesTableRow({ rowIndex, isStop, ...cells }: RowProps) {
    return (
      <tr className={styles.row} aria-rowindex={rowIndex}>
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
      <td key={cell.id} className={meta?.isNumber ? 'number' : meta?.isPinned ? styles.pinned : ''}>
        <FlexRender cell={cell} />
      </td>
    )
  })
}, isSame)

/** TanStack Table creates new row objects for the same rides while scrolling. */
function isSame(before: CellsProps, after: CellsProps): boolean {
  return before.ride === after.ride && before.columns === after.columns
}

type FootProps = {
  count: number
  totals: RideTotals
  columns: readonly Column<typeof features, RideRow>[]
}

const RidesTableFoot = memo(function RidesTableFoot({ count, totals, columns }: FootProps) {
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
            <td key={column.id} className={meta?.isNumber ? 'number' : ''}>
              {meta?.total?.(totals)}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
})
