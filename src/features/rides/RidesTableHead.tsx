import type { ReactTable } from '@tanstack/react-table'

import { SortArrow } from '../../components/SortArrow.tsx'
import type { RideRow } from './rows.ts'
import type { features } from './table.ts'
import styles from './RidesTable.module.css'

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

export function RidesTableHead({ table }: { table: ReactTable<typeof features, RideRow> }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <thead>
      <tr aria-rowindex={1}>
        {headers.map((header) => {
          const { column } = header
          const meta = column.columnDef.meta
          const sorted = column.getIsSorted()
          return (
            <th
              key={header.id}
              scope="col"
              className={meta?.isNumber ? styles.number : ''}
              aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
            >
              {meta?.isHeaderHidden ? (
                <span className="visually-hidden">
                  <table.FlexRender header={header} />
                </span>
              ) : (
                <button type="button" className={styles.sort} onClick={column.getToggleSortingHandler()}>
                  <table.FlexRender header={header} />
                  <SortArrow direction={sorted} />
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
