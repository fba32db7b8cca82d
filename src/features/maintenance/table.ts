import { createColumnHelper, metaHelper, tableFeatures } from '@tanstack/react-table'

import type { Item } from './api.ts'

/** The log needs the table's core alone: it has one order, and shows everything. */
export const features = tableFeatures({
  columnMeta: metaHelper<{ width: number; align?: 'number' | 'cost'; isHeaderHidden?: boolean }>(),
})

export const columnHelper = createColumnHelper<typeof features, Item>()
