import { useAtom, useAtomValue } from 'jotai'
import { Fragment, memo } from 'react'

import { entryField } from '../../../../supabase/functions/_shared/entry-fields.ts'
import { ariaSort, SortArrow } from '../../../components/SortArrow.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import {
  COLUMN_COUNT,
  COLUMN_NAMES,
  isInUse,
  isSameItem,
  type Item,
  knownAs,
  totalCost,
} from '../../entries/fields.ts'
import { DeleteButton } from '../actions/DeleteItem.tsx'
import { entryId, nameId } from '../../entries/jump.ts'
import { besideName } from '../../entries/Beside.tsx'
import type { ViewProps } from '../../entries/shown-items.ts'
import { DetailsButton, DetailsRow } from '../details/Details.tsx'
import { ItemField } from '../../editors/ItemField.tsx'
import styles from './LogTable.module.css'
import { NewRow } from './NewRow.tsx'
import {
  isGroupedAtom,
  labelOf,
  ORDER_KEYS,
  orderAtom,
  type OrderKey,
  shownCostAtom,
} from '../../entries/shown-items.ts'
import { UseCell, UseNote } from './UseCells.tsx'

/** `limit` is the number of items to render. */
export type EntriesProps = ViewProps & { limit: number }

export function LogTable({ gearId, items, shown, limit, isUpdating }: EntriesProps) {
  const isGrouped = useAtomValue(isGroupedAtom)
  return (
    <div className={styles.log}>
      <table className={styles.table} aria-labelledby="bike-name" aria-busy={isUpdating}>
        <LogHead />
        <tbody>
          {shown.slice(0, limit).map((item, index) => {
            const isFirst = isGrouped && (index === 0 || shown[index - 1]?.type !== item.type)
            return (
              <Fragment key={knownAs(item)}>
                {isFirst && <GroupRow type={item.type} items={shown} />}
                <ItemRow item={item} />
              </Fragment>
            )
          })}
          <NewRow bikeId={gearId} count={items.length} />
        </tbody>
        <TotalRow items={items} />
      </table>
    </div>
  )
}

/** Compares items by value, because every reload creates new objects. */
const ItemRow = memo(
  function ItemRow({ item }: { item: Item }) {
    const isEnded = !isInUse(item, useAtomValue(todayAtom))
    return (
      <>
        <tr id={entryId(item.id)} data-entry data-item={item.id} data-ended={isEnded ? '' : undefined}>
          {COLUMN_NAMES.map((field) => {
            const isName = field === 'name'
            const lead = isName && <DetailsButton item={item} />
            return (
              <ItemField
                key={field}
                as={isName ? 'th' : 'td'}
                nameId={nameId(item)}
                item={item}
                field={field}
                lead={lead}
                trail={isName && besideName(item)}
              />
            )
          })}
          <UseCell as="td" item={item} field="useMiles">
            <UseNote item={item} />
          </UseCell>
          <UseCell as="td" item={item} field="useTime" />
          <td data-field="action" className={styles.action}>
            <DeleteButton item={item} />
          </td>
        </tr>
        <DetailsRow item={item} />
      </>
    )
  },
  (before, after) => isSameItem(before.item, after.item),
)

const COST_INDEX = COLUMN_NAMES.indexOf('cost')
const AFTER_COST = COLUMN_COUNT - COST_INDEX - 1

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

const WIDTHS = [
  ...COLUMN_NAMES.map((name) => [name, entryField(name).width] as const),
  ['useMiles', '108px'],
  ['useTime', '86px'],
  ['delete', '54px'],
] as const

function LogHead() {
  return (
    <>
      <colgroup>
        {WIDTHS.map(([key, inlineSize]) => (
          <col key={key} style={{ inlineSize }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {ORDER_KEYS.map((key) => (
            <HeaderCell key={key} column={key} />
          ))}
          <th scope="col">
            <span className="visually-hidden">Delete</span>
          </th>
        </tr>
      </thead>
    </>
  )
}

const NUMBERS = new Set<OrderKey>(['cost', 'useMiles', 'useTime'])

function HeaderCell({ column }: { column: OrderKey }) {
  const [order, setOrder] = useAtom(orderAtom)
  const direction = order.key === column && (order.desc ? 'desc' : 'asc')
  const formats = useFormats()
  return (
    <th scope="col" className={NUMBERS.has(column) ? 'number' : undefined} aria-sort={ariaSort(direction)}>
      <button
        type="button"
        className="plain sort"
        onClick={() => setOrder({ key: column, desc: direction === 'asc' })}
      >
        <span>{labelOf(column, formats)}</span>
        <SortArrow direction={direction} />
      </button>
    </th>
  )
}
