import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { readAllItems, readLog } from './api.ts'
import { applyToLog } from './waiting.ts'

export const logAtom = weakFamily((bike: number) =>
  resourceAtom(
    { reads: [{ of: 'log', bike }], cacheAs: `log/${bike}`, applyWaiting: applyToLog(bike) },
    (get, { signal }) => readLog(get(backendAtom).client, bike, signal),
  ),
)

export const allItemsAtom = resourceAtom(
  { reads: ['log'], cacheAs: 'items', applyWaiting: applyToLog() },
  (get, { signal }) => readAllItems(get(backendAtom).client, signal),
)
