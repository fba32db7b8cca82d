import { atom, type Setter } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { notifyWithUndo, undoOf } from '../../components/undo.ts'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { failureMessage, type Request } from '../../lib/writes.ts'
import type { Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import {
  type Change,
  changeDay,
  type Changed,
  changeParts,
  type DayChange,
  readStoredParts,
  type Reason,
  saveReason,
  undoChange,
} from './api.ts'

/** Parts in storage, the most recently stored first. */
export const storedPartsAtom = resourceAtom(KEYS.stored, (get, { signal }) =>
  readStoredParts(get(backendAtom).client, signal),
)

/** The name and verb for messages such as `“Chain” was replaced.`, and the bikes whose logs change. */
type Outcome = { name: string; done: string; bikes: readonly number[]; onWritten?: () => void }

/** Changes parts and offers Undo. Rejects if the change fails. */
export const changePartsAtom = atom(
  null,
  async (get, set, change: Change, request: Request, outcome: Outcome): Promise<Changed> => {
    let changed: Changed
    try {
      changed = await changeParts(get(backendAtom).client, change, request)
    } catch (cause) {
      void set(reloadLogsAtom, outcome.bikes)
      throw cause
    }
    offerUndo(set, `${quote(outcome.name)} was ${outcome.done}.`, outcome, () =>
      undoChange(get(backendAtom).client, changed),
    )
    outcome.onWritten?.()
    await set(reloadLogsAtom, outcome.bikes)
    return changed
  },
)

type Changing = Pick<Outcome, 'name' | 'bikes'>

export function offerUndo(
  set: Setter,
  message: string,
  { name, bikes }: Changing,
  write: () => Promise<unknown>,
): void {
  notifyWithUndo(
    set,
    message,
    undoOf(quote(name), write, () => set(reloadLogsAtom, bikes)),
  )
}

/** Changes the day of a replacement or move, and offers Undo. Resolves to an error message, or null on success. */
export const changeDayAtom = atom(
  null,
  async (get, set, change: DayChange, outcome: Outcome): Promise<string | null> => {
    const { client } = get(backendAtom)
    try {
      await changeDay(client, change)
    } catch (cause) {
      void set(reloadLogsAtom, outcome.bikes)
      return failureMessage(`The day of ${quote(outcome.name)}`, 'changed', cause)
    }
    const back = { ...change, from: change.to, to: change.from }
    offerUndo(set, `The day of ${quote(outcome.name)} was changed.`, outcome, () => changeDay(client, back))
    await set(reloadLogsAtom, outcome.bikes)
    return null
  },
)

export const saveReasonAtom = atom(null, async (get, set, { id, bikeId, name }: Item, reason: Reason) => {
  try {
    await saveReason(get(backendAtom).client, id, reason)
  } catch (cause) {
    notifyFailure(failureMessage(`The end reason of ${quote(name)}`, 'saved', cause))
  }
  await set(reloadLogsAtom, [bikeId])
})
