import { atom } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { editRow, failureMessage, type Request } from '../../lib/writes.ts'
import type { Earlier } from '../items/earlier.ts'
import type { Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import { mutate, undoable } from '../trash/mutate.ts'
import {
  type Change,
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
type Outcome = {
  name: string
  /** The names of the parts that went along. */
  along?: readonly string[]
  done: string
  bikes: readonly number[]
  onWritten?: () => void
}

/** Changes parts and offers Undo. Rejects if the change fails. */
export const changePartsAtom = atom(
  null,
  async (get, set, change: Change, request: Request, outcome: Outcome): Promise<Changed> => {
    const { name, along = [], done, bikes, onWritten } = outcome
    const writing = changeParts(get(backendAtom).client, change, request)
    const others = along.map((one) => quote(one)).join(', ')
    const message = `${quote(name)} was ${done}.${others && ` With it: ${others}.`}`
    await undoable(get, set, message, {
      change: writing.then(({ change }) => {
        onWritten?.()
        return change
      }),
      of: quote(name),
      after: () => set(reloadLogsAtom, bikes),
    })
    return writing
  },
)

/** Changes the day of a replacement or move, and offers Undo. Resolves to an error message, or null on success. */
export const changeDayAtom = atom(
  null,
  async (get, set, change: DayChange, name: string, key: string): Promise<string | null> => {
    const outcome = { subject: `The install date of ${quote(name)}`, done: 'changed' }
    try {
      await mutate(get, set, 'change_part_day', change, outcome, key)
      return null
    } catch (cause) {
      return failureMessage(outcome.subject, outcome.done, cause)
    }
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

type EarlierChange = { shown: Earlier; wanted: Partial<Earlier> }

export type PartOnBikes = Pick<Item, 'part_id' | 'name'> & { bikes: readonly number[] }

/** Saves a part's usage from before the log, and offers Undo. Rejects if the write fails. */
export const changeEarlierAtom = atom(null, (get, set, part: PartOnBikes, { shown, wanted }: EarlierChange) =>
  undoable(get, set, `The earlier usage of ${quote(part.name)} was saved.`, {
    change: editRow(get(backendAtom).client, 'parts', part.part_id, shown, wanted),
    of: quote(part.name),
    after: () => set(reloadLogsAtom, part.bikes),
  }),
)
