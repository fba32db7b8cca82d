import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS, type ResourceKey } from '../../lib/resource-keys.ts'
import { staleAtom } from '../../lib/stale.ts'
import { readAllItems, readLog } from './api.ts'
import type { Field } from './fields.ts'

/** A bike's log, by gear_id. */
export const logAtom = atomFamily((gearId: number) =>
  resourceAtom(KEYS.log(gearId), (get, { signal }) => readLog(get(backendAtom).client, gearId, signal)),
)

/** The items of all bikes, ordered by id. */
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

/** What shows one field of a bike's log, or any of it. Without a bike: of any bike. */
function keysInLog(of: readonly number[], field?: Field): ResourceKey[] {
  if (field === 'description') return [KEYS.log(...of)]
  if (field === 'cost') return [KEYS.log(...of), KEYS.part()]
  if (field === 'name' || field === 'type') return [KEYS.log(...of), KEYS.part(), KEYS.tasks]
  return [KEYS.log(...of), KEYS.part(), KEYS.tasks, KEYS.usage(...of), KEYS.timeline(...of)]
}

/** What else shows one field of a log, or any of it. */
function keysElsewhere(field?: Field): ResourceKey[] {
  return [KEYS.items, KEYS.trash, ...(field === undefined ? ANYTHING : SHOWN_IN[field])]
}

/** What a change of one field, or of anything, may make stale in the logs of all bikes. */
export function staleInLogs(field?: Field): ResourceKey[] {
  return [...keysInLog([], field), ...keysElsewhere(field)]
}

/**
 * After a write to the logs of bikes, reads again what shows it. Resolves when those on the screen are read. Details of an
 * entry follow its log, since the write may have closed them.
 */
export const reloadLogsAtom = atom(null, async (_get, set, bikes: readonly number[], field?: Field) => {
  set(
    staleAtom,
    bikes.flatMap((bike) => keysInLog([bike], field)),
  )
  await Promise.all(bikes.map((bike) => set(logAtom(bike), 'settle')))
  set(staleAtom, keysElsewhere(field))
})
