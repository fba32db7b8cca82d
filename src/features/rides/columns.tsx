import {
  formatCount,
  formatDistance,
  formatDuration,
  formatElevation,
  formatSpeed,
  MISSING,
} from '../../lib/formats.ts'
import { RideName } from './RideName.tsx'
import type { RideRow } from './rows.ts'
import { columnHelper } from './table.ts'
import { Thumbnail } from './Thumbnail.tsx'
import type { RideTotals } from './totals.ts'

type Measure = keyof RideTotals & keyof RideRow

/** A column of numbers; what is missing comes last both ways, for which the table wants undefined rather than null. */
function measure(id: Measure, header: string, size: number, format: (value: number | null) => string) {
  return columnHelper.accessor((ride) => ride[id] ?? undefined, {
    id,
    header,
    size,
    sortFn: 'basic',
    sortUndefined: 'last',
    cell: ({ row }) => format(row.original[id]),
    meta: { isNumber: true, total: (totals) => format(totals[id]) },
  })
}

export const columns = columnHelper.columns([
  columnHelper.display({
    id: 'thumbnail',
    header: 'Thumbnail',
    size: 158,
    cell: ({ row }) => <Thumbnail ride={row.original} />,
    meta: { isHeaderHidden: true },
  }),
  columnHelper.accessor('nameRank', {
    id: 'name',
    header: 'Name',
    size: 280,
    sortFn: 'basic',
    sortUndefined: 'last',
    cell: ({ row }) => <RideName ride={row.original} />,
  }),
  columnHelper.accessor((ride) => ride.gearName ?? undefined, {
    id: 'gear',
    header: 'Gear',
    size: 170,
    sortFn: 'basic',
    sortUndefined: 'last',
    cell: ({ row }) => row.original.gearName ?? MISSING,
  }),
  measure('distance', 'Distance', 112, formatDistance),
  measure('duration', 'Duration', 116, formatDuration),
  measure('moving_time', 'Moving Time', 136, formatDuration),
  measure('max_speed', 'Max Speed', 124, formatSpeed),
  measure('avg_speed', 'Avg Speed', 124, formatSpeed),
  measure('avg_hr', 'Avg HR', 100, formatCount),
  measure('max_hr', 'Max HR', 100, formatCount),
  measure('avg_watts', 'Average Watts', 148, formatCount),
  measure('max_watts', 'Max Watts', 122, formatCount),
  measure('avg_cad', 'Average Cadence', 168, formatCount),
  measure('elevation_gain', 'Elev. Gain', 124, formatElevation),
])
