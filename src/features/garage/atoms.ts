import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { readGarage } from './api.ts'

/** Reloads at midnight, because the totals depend on the day. */
export const garageAtom = resourceAtom(
  { reads: ['rides', PARTS_AND_COSTS], cacheAs: 'garage' },
  (get, { signal }) => {
    get(todayAtom)
    return readGarage(get(backendAtom).client, signal)
  },
)
