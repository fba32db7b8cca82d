import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { usageAtom } from '../usage'
import { readLog } from './api.ts'
import { tellOtherTabs } from './other-tabs.ts'

/** A bike's log, by gear_id. */
export const logAtom = atomFamily((gearId: number) =>
  resourceAtom((get, { signal }) => readLog(get(backendAtom).client, gearId, signal), {
    cacheKey: `log/${gearId}`,
  }),
)

/** Reads a bike's log again after a write, and its usage where that may have changed with it. */
export const reloadLogAtom = atom(null, async (_get, set, gearId: number, changesUsage: boolean) => {
  tellOtherTabs(gearId)
  if (changesUsage) void set(usageAtom(gearId))
  await set(logAtom(gearId))
})
