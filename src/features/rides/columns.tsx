import {
  columnResizingFeature,
  columnSizingFeature,
  type ColumnSizingState,
  columnVisibilityFeature,
  type ColumnVisibilityState,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
  type Updater,
} from '@tanstack/react-table'
import { atom } from 'jotai'
import * as v from 'valibot'

import { backendAtom } from '../../lib/backend.ts'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { MISSING } from '../../lib/formats.ts'
import { type Measure, measureFormat, type MeasureKey, MEASURES } from '../../lib/measures.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import type { Units } from '../../lib/units.ts'
import { AverageWatts, formatRideDay, RideName, Thumbnail } from './cells.tsx'
import type { RideRow } from './rows.ts'
import { SORT_KEYS, type SortKey, sortValue } from './sort.ts'
import type { RideTotals } from './totals.ts'

/** The TanStack Table features to bundle. Rows are sorted and filtered in atoms. */
export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<{
    isNumber?: boolean
    isHeaderHidden?: boolean
    isPinned?: boolean
    total?: (totals: RideTotals) => string
  }>(),
})

const columnHelper = createColumnHelper<typeof features, RideRow>()

/** Column width limits, in pixels. */
export const MIN_WIDTH = 72
export const MAX_WIDTH = 640

/** Column widths at first, in pixels. */
const WIDTHS: Record<MeasureKey, number> = {
  distance: 120,
  duration: 108,
  moving_time: 128,
  max_speed: 124,
  avg_speed: 116,
  avg_hr: 94,
  max_hr: 94,
  avg_watts: 140,
  max_watts: 114,
  avg_cad: 158,
  elevation_gain: 118,
}

/** Creates a number column. The first press on its header sorts in descending order. */
function measureColumn(measure: Measure, units: Units) {
  const { key, label } = measure
  const format = measureFormat(measure, units)
  return columnHelper.accessor((ride) => sortValue(ride, key), {
    id: key,
    header: label,
    size: WIDTHS[key],
    sortDescFirst: true,
    cell: ({ row }) =>
      key === 'avg_watts' ? <AverageWatts ride={row.original} /> : format(row.original[key]),
    meta: { isNumber: true, total: (totals) => format(totals[key]) },
  })
}

/** The columns in order. Units are read here rather than in each cell, because scrolling renders many cells. */
export const columnsAtom = atom((get) => {
  const units = get(unitsAtom)
  const { rwgpsUrl } = get(backendAtom).config
  return columnHelper.columns([
    columnHelper.accessor((ride) => sortValue(ride, 'thumbnail'), {
      id: 'thumbnail',
      header: 'Thumbnail',
      size: 148,
      sortDescFirst: true,
      cell: ({ row }) => <Thumbnail ride={row.original} rwgpsUrl={rwgpsUrl} />,
      meta: { isHeaderHidden: true },
    }),
    columnHelper.accessor((ride) => sortValue(ride, 'name'), {
      id: 'name',
      header: 'Name',
      size: 224,
      sortDescFirst: false,
      enableHiding: false,
      cell: ({ row }) => (
        <RideName
          ride={row.original}
          rwgpsUrl={rwgpsUrl}
          distance={units.distance.format(row.original.distance)}
        />
      ),
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
    ...MEASURES.map((measure) => measureColumn(measure, units)),
  ])
})

const Settings = v.object({
  visibility: v.record(v.string(), v.boolean()),
  sizing: v.record(v.string(), v.pipe(v.number(), v.minValue(MIN_WIDTH), v.maxValue(MAX_WIDTH))),
})

type Settings = { visibility: ColumnVisibilityState; sizing: ColumnSizingState }

const DEFAULTS: Settings = { visibility: {}, sizing: {} }

const settingsBase = preferenceAtom('rides-columns', DEFAULTS, Settings)

/** The name cell also shows the date. */
const HIDDEN_AT_FIRST: ColumnVisibilityState = { date: false }

export const visibilityAtom = atom(
  (get): ColumnVisibilityState => ({ ...HIDDEN_AT_FIRST, ...get(settingsBase).visibility }),
  (_get, set, update: Updater<ColumnVisibilityState>) =>
    set(settingsBase, (old) => ({
      ...old,
      visibility: updated(update, { ...HIDDEN_AT_FIRST, ...old.visibility }),
    })),
)

/** Returns the columns of the two-line layout. The last column is the sorted column, unless that is already shown. */
export function twoLineVisibility(sortKey: SortKey): ColumnVisibilityState {
  const shown: SortKey[] = ['thumbnail', 'name', 'date', 'distance', 'moving_time', 'avg_speed']
  shown.push(shown.includes(sortKey) ? 'elevation_gain' : sortKey)
  return Object.fromEntries(SORT_KEYS.map((key) => [key, shown.includes(key)]))
}

export const sizingAtom = atom(
  (get) => get(settingsBase).sizing,
  (_get, set, update: Updater<ColumnSizingState>) =>
    set(settingsBase, (old) => ({ ...old, sizing: clamped(updated(update, old.sizing)) })),
)

export const resetColumnsAtom = atom(null, (_get, set) => set(settingsBase, DEFAULTS))

function updated<T>(update: Updater<T>, old: T): T {
  return typeof update === 'function' ? (update as (old: T) => T)(old) : update
}

function clamped(sizing: ColumnSizingState): ColumnSizingState {
  return Object.fromEntries(
    Object.entries(sizing).map(([id, width]) => [id, Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))]),
  )
}
