import { type Header, useTable } from '@tanstack/react-table'
import { useAtom, useAtomValue } from 'jotai'
import { Fragment } from 'react'

import { ariaSort, SortArrow } from '../../components/SortArrow.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { useFormats } from '../../lib/formats.ts'
import { FIELD_NAMES, type Item, isInUse, totalCost } from '../items/fields.ts'
import { columns, features, type LogTableModel } from './columns.tsx'
import { ItemRow } from './ItemRow.tsx'
import styles from './LogTable.module.css'
import { type EntriesProps, MarkupContext } from './markup.tsx'
import { NewRow } from './NewRow.tsx'
import { isGroupedAtom, orderAtom, shownCostAtom } from './shown-items.ts'

const MARKUP = { entry: 'tr', cell: 'td', fields: FIELD_NAMES, unstored: styles.newRow } as const

export function LogTable({ bikeId, items, shown, limit, isUpdating }: EntriesProps) {
  const isGrouped = useAtomValue(isGroupedAtom)
  const today = useAtomValue(todayAtom)
  const table = useTable({ features, columns, data: shown, getRowId: (item) => String(item.id) })
  const rows = table.getRowModel().rows.slice(0, limit)

  return (
    <MarkupContext value={MARKUP}>
      <div className={styles.log}>
        <table className={styles.table} aria-labelledby="bike-name" aria-busy={isUpdating}>
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
          <TotalRow items={items} />
        </table>
      </div>
    </MarkupContext>
  )
}

const COST_INDEX = FIELD_NAMES.indexOf('cost')
const AFTER_COST = columns.length - COST_INDEX - 1

function GroupRow({ type, items }: { type: Item['type']; items: readonly Item[] }) {
  const formats = useFormats()
  const group = items.filter((item) => item.type === type)
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={COST_INDEX} data-type={type ?? ''}>
        {type ?? 'No type'} <span>{group.length}</span>
      </th>
      <td className={styles.amount}>{totalCost(group, formats)}</td>
      <td colSpan={AFTER_COST} />
    </tr>
  )
}

function TotalRow({ items }: { items: readonly Item[] }) {
  const shownCost = useAtomValue(shownCostAtom)
  const formats = useFormats()
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={COST_INDEX}>
          Total Cost:
        </th>
        <td className={styles.amount}>{totalCost(items, formats)}</td>
        <td className={styles.shown} colSpan={AFTER_COST}>
          {shownCost(items)}
        </td>
      </tr>
    </tfoot>
  )
}

function LogHead({ table }: { table: LogTableModel }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <>
      <colgroup>
        {headers.map(({ id }) => (
          <col key={id} className={styles[id]} />
        ))}
      </colgroup>
      <thead>
        <tr>
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
  const { order: key, isNumber } = header.column.columnDef.meta ?? {}
  const direction = order.key === key && (order.desc ? 'desc' : 'asc')

  return (
    <th scope="col" className={isNumber ? 'number' : undefined} aria-sort={ariaSort(direction)}>
      {key === undefined ? (
        <span className="visually-hidden">
          <FlexRender header={header} />
        </span>
      ) : (
        <button
          type="button"
          className="plain sort"
          onClick={() => setOrder({ key, desc: direction === 'asc' })}
        >
          <span>
            <FlexRender header={header} />
          </span>
          <SortArrow direction={direction} />
        </button>
      )}
    </th>
  )
}
