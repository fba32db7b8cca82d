import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS, type ResourceKey } from '../../lib/resource-keys.ts'
import { staleAtom } from '../../lib/stale.ts'
import { readAllItems, readLog } from './api.ts'
import type { Field } from './fields.ts'

export const logAtom = atomFamily((gearId: number) =>
  resourceAtom(KEYS.log(gearId), (get, { signal }) => readLog(get(backendAtom).client, gearId, signal)),
)

export const allItemsAtom = resourceAtom(KEYS.items, (get, { signal }) =>
  readAllItems(get(backendAtom).client, signal),
)

const NAMES = [KEYS.garage, KEYS.checks, KEYS.stored, KEYS.lifetimes, KEYS.spending]
const COSTS = [KEYS.garage, KEYS.stored, KEYS.lifetimes, KEYS.spending, KEYS.services()]
const ANYTHING = [...NAMES, KEYS.services()]

const SHOWN_IN: Record<Field, readonly ResourceKey[]> = {
  type: NAMES,
  name: NAMES,
  description: [],
  cost: COSTS,
  dateStarted: ANYTHING,
  dateEnded: ANYTHING,
}

/** Lists the bike data that depends on a field, or on any field if none is given. An empty `of` means all bikes. */
function keysInLog(of: readonly number[], field?: Field): ResourceKey[] {
  if (field === 'description') return [KEYS.log(...of)]
  if (field === 'cost') return [KEYS.log(...of), KEYS.part()]
  if (field === 'name' || field === 'type') return [KEYS.log(...of), KEYS.part(), KEYS.tasks]
  return [KEYS.log(...of), KEYS.part(), KEYS.tasks, KEYS.usage(...of), KEYS.timeline(...of)]
}

function keysElsewhere(field?: Field): ResourceKey[] {
  return [KEYS.items, KEYS.trash, ...(field === undefined ? ANYTHING : SHOWN_IN[field])]
}

/** Lists all data that depends on a field, or on any field if none is given. */
export function staleInLogs(field?: Field): ResourceKey[] {
  return [...keysInLog([], field), ...keysElsewhere(field)]
}

/** Reloads the data that a write to these logs changes. Resolves once the logs are read. */
export const reloadLogsAtom = atom(null, async (_get, set, bikes: readonly number[], field?: Field) => {
  set(
    staleAtom,
    bikes.flatMap((bike) => keysInLog([bike], field)),
  )
  await Promise.all(bikes.map((bike) => set(logAtom(bike), 'settle')))
  // Last, because the reloaded log may close an entry's details, whose services then needn't be read again.
  set(staleAtom, keysElsewhere(field))
})
