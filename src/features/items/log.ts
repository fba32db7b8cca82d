import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { touchAtom } from '../../lib/touch.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { readAllItems, readLog } from './api.ts'
import type { Field } from './fields.ts'

export const logAtom = weakFamily((bike: number) =>
  resourceAtom({ reads: [{ of: 'log', bike }], cacheAs: `log/${bike}` }, (get, { signal }) =>
    readLog(get(backendAtom).client, bike, signal),
  ),
)

export const allItemsAtom = resourceAtom({ reads: ['log'], cacheAs: 'items' }, (get, { signal }) =>
  readAllItems(get(backendAtom).client, signal),
)

/** Tells what a write to a field of these logs, or to any field, touched. Resolves once the logs are read. */
export const reloadLogsAtom = atom(null, async (_get, set, bikes: readonly number[], field?: Field) => {
  set(
    touchAtom,
    bikes.map((bike) => ({ of: 'log', bike, columns: field && [field] })),
  )
  await Promise.all(bikes.map((bike) => set(logAtom(bike).settleAtom)))
})
