import { type Column, FlexRender, type Row, useTable } from '@tanstack/react-table'
import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { ROLES } from '../../components/table-roles.ts'
import { formatCount } from '../../lib/formats.ts'
import { isTabletAtom } from '../../lib/screen.ts'
import {
  columnsAtom,
  features,
  MAX_WIDTH,
  MIN_WIDTH,
  sizingAtom,
  twoLineVisibility,
  visibilityAtom,
} from './columns.tsx'
import { chosenSortAtom, sortRidesAtom } from './filters.ts'
import styles from './RidesTable.module.css'
import { RidesTableHead } from './RidesTableHead.tsx'
import { FIRST_ROW, RowStopContext, useRowKeys } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import type { Sort, SortKey } from './sort.ts'
import type { RideTotals } from './totals.ts'

/** Row heights are fixed, so positions are known before rows render. Rounded like browsers do. */
const REM = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
const ROW_HEIGHT = Math.round(3.5 * REM)
const TWO_LINE_HEIGHT = Math.round(4 * REM)
const INITIAL_HEIGHT = 10 * ROW_HEIGHT
const OVERSCAN = 4

type Props = { rows: RideRow[]; totals: RideTotals; isUpdating: boolean; describedBy: string }

/** Renders only the visible rows, with spacer rows for the rest. */
export function RidesTable(props: Props) {
  return useAtomValue(isTabletAtom) ? <TwoLineTable {...props} /> : <WideTable {...props} />
}

function WideTable(props: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const keys = useRowKeys(props.rows)
  const sort = useAtomValue(chosenSortAtom)
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    initialRect: { width: 0, height: INITIAL_HEIGHT },
  })

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
      <VirtualTable
        {...props}
        keys={keys}
        items={virtual.getVirtualItems()}
        size={virtual.getTotalSize()}
        range={virtual.range}
      />
    </div>
  )
}

function TwoLineTable(props: Props) {
  const list = useRef<HTMLDivElement>(null)
  const keys = useRowKeys(props.rows)
  const top = useTop(list)
  const virtual = useWindowVirtualizer({
    count: props.rows.length,
    estimateSize: () => TWO_LINE_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: keys.rangeExtractor,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })

  return (
    <div ref={list} className={styles.twoLine}>
      <VirtualTable
        {...props}
        keys={keys}
        items={virtual.getVirtualItems()}
        size={virtual.getTotalSize()}
        range={virtual.range}
        top={top}
        isTwoLine
      />
    </div>
  )
}

/** Returns an element's distance from the top of the page, and updates it when the content above changes. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

type VirtualProps = Props & {
  keys: ReturnType<typeof useRowKeys>
  items: VirtualItem[]
  size: number
  range: { startIndex: number; endIndex: number } | null
  top?: number
  isTwoLine?: boolean
}

/** TanStack Table gets only the visible rows and handles columns. Atoms sort and filter. */
function VirtualTable(props: VirtualProps) {
  const {
    rows,
    totals,
    isUpdating,
    describedBy,
    keys,
    items,
    size,
    range,
    top = 0,
    isTwoLine = false,
  } = props
  const stop = keys.stopIn(range)
  const data = useMemo(() => items.flatMap(({ index }) => rows[index] ?? []), [rows, items])
  const sort = useAtomValue(chosenSortAtom)
  const table = useRidesTable(data, sort, isTwoLine)
  const rowModel = table.getRowModel().rows
  const below = top + size - (items.at(-1)?.end ?? top)
  const shown = table.getVisibleLeafColumns()

  return (
    <table
      {...ROLES.table}
      className={styles.table}
      style={isTwoLine ? undefined : { width: table.getTotalSize() }}
      // Counts the header row, and the totals row of the wide table.
      aria-rowcount={rows.length + (isTwoLine ? 1 : 2)}
      aria-colcount={shown.length}
      aria-busy={isUpdating}
      aria-describedby={isTwoLine ? undefined : describedBy}
    >
      {!isTwoLine && (
        <colgroup>
          {shown.map((column) => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
        </colgroup>
      )}
      <RidesTableHead headers={table.getHeaderGroups()[0]?.headers ?? []} sort={sort} isTwoLine={isTwoLine} />
      <tbody {...ROLES.group} {...keys.listeners}>
        {items.map(({ index, start }, position) => {
          const row = rowModel[position]
          const above = start - (items[position - 1]?.end ?? top)
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
      {!isTwoLine && <RidesTableFoot count={rows.length} totals={totals} columns={shown} />}
    </table>
  )
}

/** Scrolls without animation on Home and End, because Chromium ignores these keys during another animated scroll. */
function jump(event: KeyboardEvent<HTMLElement>) {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event
  const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
  if (target !== currentTarget || !isPlain || (key !== 'Home' && key !== 'End')) return
  event.preventDefault()
  currentTarget.scrollTo({ top: key === 'Home' ? 0 : currentTarget.scrollHeight, behavior: 'instant' })
}

function useRidesTable(data: RideRow[], sort: Sort, isTwoLine: boolean) {
  const setSort = useSetAtom(sortRidesAtom)
  const columns = useAtomValue(columnsAtom)
  const [chosen, onColumnVisibilityChange] = useAtom(visibilityAtom)
  const columnVisibility = useMemo(
    () => (isTwoLine ? twoLineVisibility(sort.key) : chosen),
    [isTwoLine, sort.key, chosen],
  )
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
  return before.ride === after.ride && before.columns === after.columns
}

type FootProps = {
  count: number
  totals: RideTotals
  columns: readonly Column<typeof features, RideRow>[]
}

const RidesTableFoot = memo(function RidesTableFoot({ count, totals, columns }: FootProps) {
  return (
    <tfoot {...ROLES.group}>
      <tr {...ROLES.row} aria-rowindex={count + 2}>
        {columns.map((column) => {
          const meta = column.columnDef.meta
          return column.id === 'name' ? (
            <th key={column.id} {...ROLES.rowHeader} scope="row" className={styles.pinned}>
              {`Total: ${formatCount(count)} ${count === 1 ? 'ride' : 'rides'}`}
            </th>
          ) : (
            <td key={column.id} {...ROLES.cell} className={meta?.isNumber ? 'number' : ''}>
              {meta?.total?.(totals)}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
})
