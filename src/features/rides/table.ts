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

/** On a phone, the names are in sight, and pinned with space for the columns next to them. */
const MAX_WIDTHS: Readonly<Record<string, string>> = { thumbnail: '24vw', name: '50vw' }

/** The CSS width of a column. */
export function columnWidth(column: Sized): string {
  const [width, max] = [`${column.getSize()}px`, MAX_WIDTHS[column.id]]
  return max === undefined ? width : `min(${width}, ${max})`
}

/** The CSS width of all columns together. */
export function tableWidth(columns: readonly Sized[]): string {
  return `calc(${columns.map(columnWidth).join(' + ')})`
}
