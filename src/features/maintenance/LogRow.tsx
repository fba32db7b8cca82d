import type { ReactTable, Row } from '@tanstack/react-table'
import { memo } from 'react'

import type { Item } from './api.ts'
import { FIELDS } from './fields.ts'
import type { features } from './table.ts'

type Props = { row: Row<typeof features, Item>; FlexRender: ReactTable<typeof features, Item>['FlexRender'] }

/** After a reload every item is a new object; only the rows that really changed are drawn again. */
export const LogRow = memo(
  function LogRow({ row, FlexRender }: Props) {
    return (
      <tr>
        {row.getAllCells().map((cell) => (
          <FlexRender key={cell.id} cell={cell} />
        ))}
      </tr>
    )
  },
  (before, after) => isSame(before.row.original, after.row.original),
)

function isSame(a: Item, b: Item): boolean {
  return a.id === b.id && FIELDS.every((field) => a[field] === b[field])
}
