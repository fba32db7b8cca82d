import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'

import type { RideRow } from './rows.ts'
import type { RideTotals } from './totals.ts'

/** What of TanStack Table the list of rides uses; nothing else is bundled. Rows come to it sorted and filtered. */
export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<{
    isNumber?: boolean
    isHeaderHidden?: boolean
    /** Stays in sight while the others scroll sideways. */
    isPinned?: boolean
    total?: (totals: RideTotals) => string
  }>(),
})

export const columnHelper = createColumnHelper<typeof features, RideRow>()
