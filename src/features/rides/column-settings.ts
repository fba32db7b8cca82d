import type { ColumnSizingState, ColumnVisibilityState, Updater } from '@tanstack/react-table'
import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from '../../lib/preference.ts'
import { MAX_WIDTH, MIN_WIDTH } from './columns.tsx'

const Settings = v.object({
  visibility: v.record(v.string(), v.boolean()),
  sizing: v.record(v.string(), v.pipe(v.number(), v.minValue(MIN_WIDTH), v.maxValue(MAX_WIDTH))),
})

type Settings = { visibility: ColumnVisibilityState; sizing: ColumnSizingState }

const DEFAULTS: Settings = { visibility: {}, sizing: {} }

const settingsBase = preferenceAtom('rides-columns', DEFAULTS, Settings)

/** The day is also under the name. */
const HIDDEN_AT_FIRST: ColumnVisibilityState = { date: false }

export const visibilityAtom = atom(
  (get): ColumnVisibilityState => ({ ...HIDDEN_AT_FIRST, ...get(settingsBase).visibility }),
  (_get, set, update: Updater<ColumnVisibilityState>) =>
    set(settingsBase, (old) => ({
      ...old,
      visibility: updated(update, { ...HIDDEN_AT_FIRST, ...old.visibility }),
    })),
)

/** Column widths that differ from the default. */
export const sizingAtom = atom(
  (get) => get(settingsBase).sizing,
  (_get, set, update: Updater<ColumnSizingState>) =>
    set(settingsBase, (old) => ({ ...old, sizing: clamped(updated(update, old.sizing)) })),
)

/** Restores the default columns and widths. */
export const resetColumnsAtom = atom(null, (_get, set) => set(settingsBase, DEFAULTS))

function updated<T>(update: Updater<T>, old: T): T {
  return typeof update === 'function' ? (update as (old: T) => T)(old) : update
}

function clamped(sizing: ColumnSizingState): ColumnSizingState {
  return Object.fromEntries(
    Object.entries(sizing).map(([id, width]) => [id, Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))]),
  )
}
