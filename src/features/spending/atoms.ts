import { atom } from 'jotai'

import type { SpendingCall } from '../../../supabase/functions/spending/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { callFunction } from '../../lib/functions.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'

/** The year for which the costs per mile are shown. Empty for all years. */
export const yearAtom = atom('')

/** Reloads at midnight. */
export const spendingAtom = resourceAtom(
  { reads: ['rides', 'bikes', PARTS_AND_COSTS], cacheAs: 'spending' },
  (get, { signal }) => {
    const year = get(yearAtom)
    get(todayAtom)
    const body = year === '' ? {} : { from: `${year}-01-01` as Day, to: `${year}-12-31` as Day }
    return callFunction<SpendingCall>(get(backendAtom).client, 'spending', { body, signal })
  },
)
