import {
  columnSizingFeature,
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table'

import type { RideTotals } from './totals.ts'
import type { RideRow } from './rows.ts'

/** What of TanStack Table the list of rides uses; nothing else is bundled. */
export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
  columnMeta: metaHelper<{
    isNumber?: boolean
    isHeaderHidden?: boolean
    total?: (totals: RideTotals) => string
  }>(),
})

export const columnHelper = createColumnHelper<typeof features, RideRow>()
