import { createColumnHelper, metaHelper, type ReactTable, tableFeatures } from '@tanstack/react-table'

import { FIELD_NAMES, FIELDS, type Item } from '../items/fields.ts'
import { DeleteCell } from './DeleteItem.tsx'
import { DetailsButton } from './DetailsButton.tsx'
import { FieldCell } from './FieldEditor.tsx'
import type { OrderKey } from './shown-items.ts'
import { UseCell, UseMilesHeader, UseNote } from './UseCells.tsx'

/** The table shows every column and gets filtered, sorted items, so it needs no optional table features. */
export const features = tableFeatures({
  columnMeta: metaHelper<{ order?: OrderKey; isNumber?: boolean }>(),
})

export type LogTableModel = ReactTable<typeof features, Item>

const helper = createColumnHelper<typeof features, Item>()

/** Each column renders its own <td>. Its width is in LogTable.module.css. */
export const columns = helper.columns([
  ...FIELD_NAMES.map((field) =>
    helper.display({
      id: field,
      header: FIELDS[field].label,
      meta: { order: field, isNumber: FIELDS[field].editor === 'cost' },
      cell: ({ row: { original: item } }) => (
        <FieldCell item={item} field={field} lead={field === 'name' && <DetailsButton item={item} />} />
      ),
    }),
  ),
  helper.display({
    id: 'useMiles',
    header: () => <UseMilesHeader />,
    meta: { order: 'useMiles', isNumber: true },
    cell: ({ row: { original: item } }) => (
      <UseCell item={item} field="useMiles">
        <UseNote item={item} />
      </UseCell>
    ),
  }),
  helper.display({
    id: 'useTime',
    header: 'Use Time',
    meta: { order: 'useTime', isNumber: true },
    cell: ({ row }) => <UseCell item={row.original} field="useTime" />,
  }),
  helper.display({
    id: 'delete',
    header: 'Delete',
    cell: ({ row }) => <DeleteCell item={row.original} />,
  }),
])
