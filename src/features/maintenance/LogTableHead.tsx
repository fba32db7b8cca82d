import type { ReactTable } from '@tanstack/react-table'

import type { Item } from './api.ts'
import styles from './LogTable.module.css'
import type { features } from './table.ts'

export function LogTableHead({ table }: { table: ReactTable<typeof features, Item> }) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <>
      <colgroup>
        {headers.map(({ id, column }) => (
          <col key={id} style={{ width: column.columnDef.meta?.width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {headers.map((header) => {
            const meta = header.column.columnDef.meta
            return (
              <th key={header.id} scope="col" className={meta?.align && styles[meta.align]}>
                <span className={meta?.isHeaderHidden ? 'visually-hidden' : ''}>
                  <table.FlexRender header={header} />
                </span>
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}
