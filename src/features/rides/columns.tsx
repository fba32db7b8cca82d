import { atom } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { formatCount, formatDuration, MISSING } from '../../lib/formats.ts'
import { AverageWatts, formatRideDay, RideName, Thumbnail } from './cells.tsx'
import { type Measure, sortValue } from './sort.ts'
import { columnHelper } from './table.ts'

/** Limits of a column's width, in pixels. */
export const MIN_WIDTH = 72
export const MAX_WIDTH = 640

/** A number column. The first press on its header sorts in descending order. */
function measure(id: Measure, header: string, size: number, format: (value: number | null) => string) {
  return columnHelper.accessor((ride) => sortValue(ride, id), {
    id,
    header,
    size,
    sortDescFirst: true,
    cell: ({ row }) => format(row.original[id]),
    meta: { isNumber: true, total: (totals) => format(totals[id]) },
  })
}

/** The columns in order, formatted in the chosen units. */
export const columnsAtom = atom((get) => {
  const { distance, speed, elevation } = get(unitsAtom)
  return columnHelper.columns([
    columnHelper.accessor((ride) => sortValue(ride, 'thumbnail'), {
      id: 'thumbnail',
      header: 'Thumbnail',
      size: 156,
      sortDescFirst: true,
      cell: ({ row }) => <Thumbnail ride={row.original} />,
      meta: { isHeaderHidden: true },
    }),
    columnHelper.accessor((ride) => sortValue(ride, 'name'), {
      id: 'name',
      header: 'Name',
      size: 264,
      sortDescFirst: false,
      enableHiding: false,
      cell: ({ row }) => <RideName ride={row.original} />,
      meta: { isPinned: true },
    }),
    columnHelper.accessor((ride) => sortValue(ride, 'date'), {
      id: 'date',
      header: 'Date',
      size: 116,
      sortDescFirst: true,
      cell: ({ row }) => formatRideDay(row.original),
    }),
    columnHelper.accessor((ride) => sortValue(ride, 'gear'), {
      id: 'gear',
      header: 'Gear',
      size: 150,
      sortDescFirst: false,
      cell: ({ row }) => row.original.gearName ?? MISSING,
    }),
    measure('distance', 'Distance', 128, distance.format),
    measure('duration', 'Duration', 116, formatDuration),
    measure('moving_time', 'Moving Time', 136, formatDuration),
    measure('max_speed', 'Max Speed', 124, speed.format),
    measure('avg_speed', 'Avg Speed', 124, speed.format),
    measure('avg_hr', 'Avg HR', 100, formatCount),
    measure('max_hr', 'Max HR', 100, formatCount),
    {
      ...measure('avg_watts', 'Average Watts', 148, formatCount),
      cell: ({ row }) => <AverageWatts ride={row.original} />,
    },
    measure('max_watts', 'Max Watts', 122, formatCount),
    measure('avg_cad', 'Average Cadence', 168, formatCount),
    measure('elevation_gain', 'Elev. Gain', 124, elevation.format),
  ])
})
