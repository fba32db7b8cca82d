import type { ColumnSizingState, ColumnVisibilityState, Updater } from '@tanstack/react-table'
import { atom } from 'jotai'
import type { ReactNode } from 'react'
import * as v from 'valibot'

import { backendAtom } from '../../lib/backend.ts'
import { type Formats, formatsAtom, MISSING } from '../../lib/formats.ts'
import { type Measure, measureFormat, MEASURES } from '../../lib/measures.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { AverageWatts, formatRideDay, RideName, Thumbnail } from './cells.tsx'
import type { RideRow } from './rows.ts'
import type { SortKey } from './sort.ts'
import type { RideTotals } from './totals.ts'

/** Column width limits, in pixels. */
export const MIN_WIDTH = 72
export const MAX_WIDTH = 640

type Show = (ride: RideRow) => ReactNode

export type ColumnMeta = {
  isNumber?: boolean
  isHeaderHidden?: boolean
  isPinned?: boolean
  show: Show
  total?: (totals: RideTotals) => string
}

type Options = { enableHiding?: boolean; sortDescFirst?: boolean; meta?: Omit<ColumnMeta, 'show'> }

function column(id: SortKey, header: string, size: number, show: Show, { meta, ...options }: Options = {}) {
  return { id, header, size, enableHiding: true, sortDescFirst: true, ...options, meta: { ...meta, show } }
}

/** Creates a number column. The first press on its header sorts in descending order. */
function measureColumn(measure: Measure, formats: Formats) {
  const { key, label, width } = measure
  const format = measureFormat(measure, formats)
  const show = (ride: RideRow) => (key === 'avg_watts' ? <AverageWatts ride={ride} /> : format(ride[key]))
  const total = (totals: RideTotals) => format(totals[key])
  return column(key, label, width, show, { meta: { isNumber: true, total } })
}

/**
 * The columns in order, as TanStack Table takes them. Units are read here rather than in each cell, because scrolling renders
 * many cells.
 */
export const columnsAtom = atom((get) => {
  const formats = get(formatsAtom)
  const { rwgpsUrl } = get(backendAtom).config
  return [
    column('thumbnail', 'Thumbnail', 148, (ride) => <Thumbnail ride={ride} rwgpsUrl={rwgpsUrl} />, {
      meta: { isHeaderHidden: true },
    }),
    column('name', 'Name', 224, (ride) => <RideName ride={ride} rwgpsUrl={rwgpsUrl} formats={formats} />, {
      sortDescFirst: false,
      enableHiding: false,
      meta: { isPinned: true },
    }),
    column('date', 'Date', 116, (ride) => formatRideDay(ride, formats)),
    column('gear', 'Gear', 150, ({ gearName }) => gearName ?? MISSING, { sortDescFirst: false }),
    ...MEASURES.map((measure) => measureColumn(measure, formats)),
  ]
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

/** Returns the columns below a card's name. The last one is the sorted column, unless the card shows that anyway. */
export function cardColumns(sortKey: SortKey): SortKey[] {
  const columns: SortKey[] = ['distance', 'moving_time', 'avg_speed']
  const isShown = ['thumbnail', 'name', 'date', ...columns].includes(sortKey)
  return [...columns, isShown ? 'elevation_gain' : sortKey]
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
