import type { Garage, GarageCall } from '../../../supabase/functions/garage/contract.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { callFunction } from '../../lib/functions.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'

export type { Garage }

/** Reloads at midnight, because the totals depend on the day. */
export const garageAtom = resourceAtom(
  { reads: ['rides', 'bikes', PARTS_AND_COSTS], cacheAs: 'garage' },
  (get, { signal }) => {
    get(todayAtom)
    return callFunction<GarageCall>(get(backendAtom).client, 'garage', { body: {}, signal })
  },
)
