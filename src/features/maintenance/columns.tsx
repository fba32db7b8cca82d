import { CostCell, DescriptionCell, EndCell, NameCell, StartCell, TypeCell } from './cells.tsx'
import { DeleteCell } from './DeleteCell.tsx'
import { columnHelper } from './table.ts'
import { UseMilesCell, UseMilesHeader, UseTimeCell } from './UseCells.tsx'

/** The columns in their order, with their widths in pixels. Each draws its own <td>. */
export const columns = columnHelper.columns([
  columnHelper.display({
    id: 'type',
    header: 'Type',
    meta: { width: 122 },
    cell: ({ row }) => <TypeCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'name',
    header: 'Name',
    meta: { width: 254 },
    cell: ({ row }) => <NameCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'description',
    header: 'Description',
    meta: { width: 254 },
    cell: ({ row }) => <DescriptionCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'cost',
    header: 'Cost',
    meta: { width: 250, align: 'cost' },
    cell: ({ row }) => <CostCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'dateStarted',
    header: 'Start',
    meta: { width: 108 },
    cell: ({ row }) => <StartCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'dateEnded',
    header: 'End',
    meta: { width: 140 },
    cell: ({ row }) => <EndCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'useMiles',
    header: () => <UseMilesHeader />,
    meta: { width: 104, align: 'number' },
    cell: ({ row }) => <UseMilesCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'useTime',
    header: 'Use Time',
    meta: { width: 92, align: 'number' },
    cell: ({ row }) => <UseTimeCell item={row.original} />,
  }),
  columnHelper.display({
    id: 'delete',
    header: 'Delete',
    meta: { width: 66, isHeaderHidden: true },
    cell: ({ row }) => <DeleteCell item={row.original} />,
  }),
])
