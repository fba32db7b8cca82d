import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { atom } from 'jotai'

import { type ColumnMeta, columnsAtom } from './columns.tsx'
import type { RideRow } from './rows.ts'
import { sortValue } from './sort.ts'

/** The TanStack Table features to bundle. Rows are sorted and filtered in atoms. */
export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})

const columnHelper = createColumnHelper<typeof features, RideRow>()

export const tableColumnsAtom = atom((get) =>
  columnHelper.columns(
    get(columnsAtom).map(({ id, ...column }) =>
      columnHelper.accessor((ride) => sortValue(ride, id), {
        id,
        cell: ({ row }) => column.meta.show(row.original),
        ...column,
      }),
    ),
  ),
)
