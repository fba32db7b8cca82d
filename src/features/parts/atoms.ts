import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { editRow, failureMessage, type Request } from '../../lib/writes.ts'
import type { Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import { offerUndo } from '../trash/undo.ts'
import {
  type Change,
  changeDay,
  type Changed,
  changeParts,
  type DayChange,
  readStoredParts,
  type Reason,
} from './api.ts'

/** Parts in storage, the most recently stored first. */
export const storedPartsAtom = resourceAtom(
  { reads: ['rides', PARTS_AND_COSTS], cacheAs: 'stored' },
  (get, { signal }) => readStoredParts(get(backendAtom).client, signal),
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
    const [of, after] = [quote(outcome.name), () => set(reloadLogsAtom, outcome.bikes)]
    offerUndo(get, set, `${of} was ${outcome.done}.`, { change: changed.change, of, after })
    outcome.onWritten?.()
    await after()
    return changed
  },
)

/** Changes the day of a replacement or move, and offers Undo. Resolves to an error message, or null on success. */
export const changeDayAtom = atom(
  null,
  async (get, set, change: DayChange, { name, bikes }: Outcome): Promise<string | null> => {
    const subject = `The install date of ${quote(name)}`
    const after = () => set(reloadLogsAtom, bikes)
    try {
      const done = await changeDay(get(backendAtom).client, change)
      offerUndo(get, set, `${subject} was changed.`, { change: done, of: quote(name), after })
    } catch (cause) {
      void after()
      return failureMessage(subject, 'changed', cause)
    }
    await after()
    return null
  },
)

export const saveReasonAtom = atom(null, async (get, set, item: Item, ended_as: Reason) => {
  const { id, bikeId, name } = item
  try {
    await editRow(get(backendAtom).client, 'maintenance', id, { ended_as: item.ended_as }, { ended_as })
  } catch (cause) {
    notifyFailure(failureMessage(`The end reason of ${quote(name)}`, 'saved', cause))
  }
  await set(reloadLogsAtom, [bikeId])
})
