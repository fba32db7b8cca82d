import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { readUsage } from './api.ts'

/** The usage of a bike and its items, by gear_id. */
export const usageAtom = atomFamily((gearId: number) =>
  resourceAtom((get, { signal }) => {
    get(ridesChangedAtom)
    return readUsage(get(backendAtom).client, gearId, signal)
  }),
)
