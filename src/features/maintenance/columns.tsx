import { dayOf, formatDay } from '../../lib/days.ts'
import { formatCurrency, MISSING } from '../../lib/formats.ts'
import { columnHelper } from './table.ts'
import { UseMiles, UseTime } from './UseCells.tsx'

export const columns = columnHelper.columns([
  columnHelper.accessor('type', { header: 'Type', cell: ({ getValue }) => getValue() ?? MISSING }),
  columnHelper.accessor('name', { header: 'Name' }),
  columnHelper.accessor('description', { header: 'Description' }),
  columnHelper.accessor('cost', { header: 'Cost', cell: ({ getValue }) => formatCurrency(getValue()) }),
  columnHelper.accessor('dateStarted', {
    header: 'Start',
    cell: ({ getValue }) => formatDay(dayOf(getValue())),
  }),
  columnHelper.accessor('dateEnded', {
    header: 'End',
    cell: ({ getValue }) => {
      const end = getValue()
      return end === null ? MISSING : formatDay(dayOf(end))
    },
  }),
  columnHelper.display({
    id: 'useMiles',
    header: 'Use Miles',
    cell: ({ row }) => <UseMiles item={row.original} />,
  }),
  columnHelper.display({
    id: 'useTime',
    header: 'Use Time',
    cell: ({ row }) => <UseTime item={row.original} />,
  }),
])
