import { createColumnHelper, tableFeatures } from '@tanstack/react-table'

import type { Item } from './api.ts'

/** The log needs the table's core alone: it has one order, and shows everything. */
export const features = tableFeatures({})

export const columnHelper = createColumnHelper<typeof features, Item>()
