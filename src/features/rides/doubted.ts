import { atom } from 'jotai'

import type { DoubtedRide } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'

// Like the rides, not refetched on mount.
const resource = resourceAtom(
  { reads: ['rides', 'bikes', 'dismissals'], cacheAs: 'doubted-rides', refetchOnMount: false },
  (get, { signal }) => {
    get(todayAtom)
    return callSql(get(backendAtom).client, 'doubted_rides', undefined as never, signal)
  },
)

const NONE: readonly DoubtedRide[] = []

/** Rides whose day is doubtful, which no chart spans. Undefined while they load, none if that fails. */
export const doubtedRidesAtom = atom((get): readonly DoubtedRide[] | undefined => {
  const doubted = get(resource)
  if (doubted.state === 'loading') return undefined
  return doubted.state === 'ready' ? doubted.data.rides : NONE
})
