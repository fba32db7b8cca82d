import { type Column, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Fragment, type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react'

import { counted } from '../../lib/formats.ts'
import { pixelsOf } from '../../lib/screen.ts'
import { MAX_WIDTH, MIN_WIDTH, sizingAtom, visibilityAtom } from './columns.tsx'
import { chosenGearAtom, chosenSortAtom, sortRidesAtom } from './filters.ts'
import styles from './RidesTable.module.css'
import { RidesTableHead } from './RidesTableHead.tsx'
import { RidesTableRow } from './RidesTableRow.tsx'
import { OVERSCAN, type useRowKeys } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import type { Sort, SortKey } from './sort.ts'
import { features, tableColumnsAtom } from './table-columns.ts'
import type { RideTotals } from './totals.ts'

/** Fixed, so positions are known before rows render. */
const ROW_HEIGHT = pixelsOf(3.5)
const INITIAL_HEIGHT = 10 * ROW_HEIGHT

type Props = {
  rows: RideRow[]
  totals: RideTotals
  isUpdating: boolean
  describedBy: string
  keys: ReturnType<typeof useRowKeys>
}

/** Renders only the visible rows, with spacer rows for the rest. TanStack Table only handles columns. Atoms sort and filter. */
export default function RidesTable({ rows, totals, isUpdating, describedBy, keys }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const sort = useAtomValue(chosenSortAtom)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    initialRect: { width: 0, height: INITIAL_HEIGHT },
  })
  const items = virtual.getVirtualItems()
  const stop = keys.stopIn(virtual.range)
  const data = useMemo(() => items.flatMap(({ index }) => rows[index] ?? []), [rows, items])
  const table = useRidesTable(data, sort)
  const rowModel = table.getRowModel().rows
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const shown = table.getVisibleLeafColumns()

  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [sort])

  return (
    // Focusable, so the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={styles.scroller}
      // Scrolls a focused header out from under the pinned column.
      style={{ scrollPaddingInlineStart: table.getColumn('name')?.getSize() }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Rides table"
      onKeyDown={jump}
    >
      <table
        className={styles.table}
        aria-label={`Rides, ${useAtomValue(chosenGearAtom).label}`}
        style={{ width: table.getTotalSize() }}
        // Includes the header and totals rows.
        aria-rowcount={rows.length + 2}
        aria-colcount={shown.length}
        aria-busy={isUpdating}
        aria-describedby={describedBy}
      >
        <colgroup>
          {shown.map((column) => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
        </colgroup>
        <RidesTableHead headers={table.getHeaderGroups()[0]?.headers ?? []} sort={sort} />
        <tbody {...keys.listeners}>
          {items.map(({ index, start }, position) => {
            const row = rowModel[position]
            const above = start - (items[position - 1]?.end ?? 0)
            return (
              row && (
                <Fragment key={row.id}>
                  {above > 0 && <tr aria-hidden style={{ height: above }} />}
                  <RidesTableRow row={row} index={index} isStop={index === stop} columns={shown} />
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

function useRidesTable(data: RideRow[], sort: Sort) {
  const setSort = useSetAtom(sortRidesAtom)
  const columns = useAtomValue(tableColumnsAtom)
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
              {`Total: ${counted(count, 'ride')}`}
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

/** Scrolls without animation on Home and End, because Chromium ignores these keys during another animated scroll. */
function jump(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event
  const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
  if (target !== currentTarget || !isPlain || (key !== 'Home' && key !== 'End')) return
  event.preventDefault()
  currentTarget.scrollTo({ top: key === 'Home' ? 0 : currentTarget.scrollHeight, behavior: 'instant' })
}
