import type { Header, ReactTable } from '@tanstack/react-table'
import { useAtom, useAtomValue } from 'jotai'

import { SortArrow } from '../../components/SortArrow.tsx'
import { ROLES } from '../../components/table-roles.ts'
import { isPhoneAtom } from '../../lib/screen.ts'
import type { features } from './columns.tsx'
import type { Item } from './fields.ts'
import styles from './LogTable.module.css'
import { orderAtom } from './view.ts'

export type LogTableModel = ReactTable<typeof features, Item>

export function LogHead({ table }: { table: LogTableModel }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <>
      <colgroup>
        {headers.map(({ id }) => (
          <col key={id} className={styles[id]} />
        ))}
      </colgroup>
      <thead {...ROLES.group}>
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

/** Sorts by its column when pressed, and reverses the order when pressed again. */
function HeaderCell({ header, FlexRender }: CellProps) {
  const [order, setOrder] = useAtom(orderAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const { order: key, isNumber } = header.column.columnDef.meta ?? {}
  const direction = order.key === key && (order.desc ? 'desc' : 'asc')

  return (
    <th
      {...ROLES.header}
      scope="col"
      className={isNumber ? styles.number : undefined}
      aria-sort={direction ? ARIA_SORT[direction] : undefined}
    >
      {key === undefined || isPhone ? (
        <span className="visually-hidden">
          <FlexRender header={header} />
        </span>
      ) : (
        <button
          type="button"
          className={styles.sort}
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

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const
