import type { ColumnSizingState, ColumnVisibilityState, Updater } from '@tanstack/react-table'
import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from '../../lib/preference.ts'
import { NARROWEST, WIDEST } from './columns.tsx'

const Settings = v.object({
  visibility: v.record(v.string(), v.boolean()),
  sizing: v.record(v.string(), v.pipe(v.number(), v.minValue(NARROWEST), v.maxValue(WIDEST))),
})

type Settings = { visibility: ColumnVisibilityState; sizing: ColumnSizingState }

const UNTOUCHED: Settings = { visibility: {}, sizing: {} }

const settingsBase = preferenceAtom('rides-columns', UNTOUCHED, Settings)

/** Which columns are shown. */
export const visibilityAtom = atom(
  (get) => get(settingsBase).visibility,
  (_get, set, update: Updater<ColumnVisibilityState>) =>
    set(settingsBase, (old) => ({ ...old, visibility: updated(update, old.visibility) })),
)

/** The columns' widths that differ from their own. */
export const sizingAtom = atom(
  (get) => get(settingsBase).sizing,
  (_get, set, update: Updater<ColumnSizingState>) =>
    set(settingsBase, (old) => ({ ...old, sizing: clamped(updated(update, old.sizing)) })),
)

/** Shows all columns in their own widths again. */
export const resetColumnsAtom = atom(null, (_get, set) => set(settingsBase, UNTOUCHED))

function updated<T>(update: Updater<T>, old: T): T {
  return typeof update === 'function' ? (update as (old: T) => T)(old) : update
}

function clamped(sizing: ColumnSizingState): ColumnSizingState {
  return Object.fromEntries(
    Object.entries(sizing).map(([id, width]) => [id, Math.min(WIDEST, Math.max(NARROWEST, width))]),
  )
}
