import { createColumnHelper, metaHelper, tableFeatures } from '@tanstack/react-table'

import { DeleteCell } from './DeleteItem.tsx'
import { FieldCell } from './FieldCell.tsx'
import { FIELD_NAMES, FIELDS, type Item } from './fields.ts'
import { UseMilesCell, UseMilesHeader, UseTimeCell } from './UseCells.tsx'

/** The log has a fixed order and shows every column, so it needs no optional table features. */
export const features = tableFeatures({
  columnMeta: metaHelper<{ width: number; align?: 'number' | 'cost'; isHeaderHidden?: boolean }>(),
})

const helper = createColumnHelper<typeof features, Item>()

/** The columns in order. Each renders its own <td>. */
export const columns = helper.columns([
  ...FIELD_NAMES.map((field) => {
    const { label, width, editor } = FIELDS[field]
    return helper.display({
      id: field,
      header: label,
      meta: editor === 'cost' ? { width, align: 'cost' } : { width },
      cell: ({ row }) => <FieldCell item={row.original} field={field} />,
    })
  }),
  helper.display({
    id: 'useMiles',
    header: () => <UseMilesHeader />,
    meta: { width: 104, align: 'number' },
    cell: ({ row }) => <UseMilesCell item={row.original} />,
  }),
  helper.display({
    id: 'useTime',
    header: 'Use Time',
    meta: { width: 92, align: 'number' },
    cell: ({ row }) => <UseTimeCell item={row.original} />,
  }),
  helper.display({
    id: 'delete',
    header: 'Delete',
    meta: { width: 66, isHeaderHidden: true },
    cell: ({ row }) => <DeleteCell item={row.original} />,
  }),
])
