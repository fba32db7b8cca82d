import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { readLog } from './api.ts'

/** A bike's log, by gear_id. */
export const logAtom = atomFamily((gearId: number) =>
  resourceAtom((get, { signal }) => readLog(get(backendAtom).client, gearId, signal)),
)
