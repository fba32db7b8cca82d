import { atom } from 'jotai'

import type { Timeline } from '../../../../supabase/functions/maintenance-use/contract.ts'
import { addressAtom } from '../../../lib/address.ts'
import { backendAtom } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { DATES } from '../../../lib/inputs.ts'
import { resourceAtom } from '../../../lib/resource.ts'
import { weakFamily } from '../../../lib/weak-family.ts'
import { askMaintenanceUse } from '../../entries/maintenance-use.ts'
import { dayAtom } from '../parts-on-day/day.ts'

export const timelineAtom = weakFamily((bike: number) =>
  resourceAtom(
    {
      reads: ['rides', 'dismissals', { of: 'tasks', bike }, { of: 'log', bike, columns: DATES }],
      cacheAs: `timeline/${bike}`,
    },
    async (get, { signal }): Promise<Timeline> => {
      const question = { gear_id: bike, timeline: true }
      const {
        first_ride,
        months = [],
        services = [],
      } = await askMaintenanceUse(get(backendAtom).client, question, signal)
      // A ride with a wrong clock would squeeze all others into the end of the axis.
      const firstMonth = first_ride?.slice(0, 7) ?? ''
      return { months: months.filter(({ month }) => month >= firstMonth), services }
    },
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
