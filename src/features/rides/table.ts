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

/** The TanStack Table features to bundle. Atoms sort and filter the rows. */
export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<{
    isNumber?: boolean
    isHeaderHidden?: boolean
    /** Stays visible when scrolling sideways. */
    isPinned?: boolean
    total?: (totals: RideTotals) => string
  }>(),
})

export const columnHelper = createColumnHelper<typeof features, RideRow>()

type Sized = { id: string; getSize: () => number }

/** Leaves space on a phone for the columns next to the pinned names. */
const MAX_NAME_WIDTH = '42vw'

/** The CSS width of a column. */
export function columnWidth(column: Sized): string {
  const width = `${column.getSize()}px`
  return column.id === 'name' ? `min(${width}, ${MAX_NAME_WIDTH})` : width
}

/** The CSS width of all columns together. */
export function tableWidth(columns: readonly Sized[]): string {
  return `calc(${columns.map(columnWidth).join(' + ')})`
}
