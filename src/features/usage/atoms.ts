import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readUsage } from './api.ts'

/** The usage of a bike and its items, by gear_id; counted again after an update of the rides, and on each new day. */
export const usageAtom = atomFamily((gearId: number) =>
  resourceAtom(
    (get, { signal }) => {
      get(ridesChangedAtom)
      get(todayAtom)
      return readUsage(get(backendAtom).client, gearId, signal)
    },
    { keptAs: `usage/${gearId}` },
  ),
)
