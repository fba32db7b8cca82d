import { atom } from 'jotai'

import { addressAtom } from '../../../lib/address.ts'
import { backendAtom } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { DATES } from '../../../lib/inputs.ts'
import { resourceAtom } from '../../../lib/resource.ts'
import { weakFamily } from '../../../lib/weak-family.ts'
import { dayAtom } from '../parts-list/day.ts'
import { readTimeline } from './api.ts'

export const timelineAtom = weakFamily((bike: number) =>
  resourceAtom(
    {
      reads: ['rides', { of: 'tasks', bike }, { of: 'log', bike, columns: DATES }],
      cacheAs: `timeline/${bike}`,
    },
    (get, { signal }) => readTimeline(get(backendAtom).client, bike, signal),
  ),
)

/** The day under the pointer during a drag. Releasing the pointer chooses it. */
export const draggedDayAtom = atom<Day | null>(null)

export const markedDayAtom = atom((get) => get(draggedDayAtom) ?? get(dayAtom).day)

/** The shown year, or an empty string for all years. */
export const yearAtom = atom(
  (get) => {
    const year = get(addressAtom)['year'] ?? ''
    return /^(19|20)\d\d$/.test(year) ? year : ''
  },
  (_get, set, year: string) => set(addressAtom, { set: { year: year || null }, by: 'replace' }),
)
