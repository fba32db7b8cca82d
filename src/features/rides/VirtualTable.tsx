import { type Column, useTable } from '@tanstack/react-table'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Fragment, memo, useMemo } from 'react'

import { ROLES } from '../../components/table-roles.ts'
import { formatCount } from '../../lib/formats.ts'
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
import { RidesTableRow } from './RidesTableRow.tsx'
import { FIRST_ROW, type useRowKeys } from './row-keys.ts'
import type { RideRow } from './rows.ts'
import type { Sort, SortKey } from './sort.ts'
import type { RideTotals } from './totals.ts'

export type VirtualTableProps = {
  rows: RideRow[]
  totals: RideTotals
  isUpdating: boolean
  describedBy: string
  keys: ReturnType<typeof useRowKeys>
  virtual: Pick<Virtualizer<Window, Element>, 'getVirtualItems' | 'getTotalSize' | 'range'> & {
    options: { scrollMargin: number }
  }
  isTwoLine: boolean
}

/** TanStack Table gets only the visible rows and handles columns. Atoms sort and filter. */
export function VirtualTable(props: VirtualTableProps) {
  const { rows, totals, isUpdating, describedBy, keys, virtual, isTwoLine } = props
  const items = virtual.getVirtualItems()
  const top = virtual.options.scrollMargin
  const stop = keys.stopIn(virtual.range)
  const data = useMemo(() => items.flatMap(({ index }) => rows[index] ?? []), [rows, items])
  const sort = useAtomValue(chosenSortAtom)
  const table = useRidesTable(data, sort, isTwoLine)
  const rowModel = table.getRowModel().rows
  const below = top + virtual.getTotalSize() - (items.at(-1)?.end ?? top)
  const shown = table.getVisibleLeafColumns()

  return (
    <table
      {...ROLES.table}
      className={styles.table}
      style={isTwoLine ? undefined : { width: table.getTotalSize() }}
      // Includes the header row and, in the wide table, the totals row.
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
