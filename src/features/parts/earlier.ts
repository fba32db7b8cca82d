import { atom } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/formats.ts'
import { editRow } from '../../lib/writes.ts'
import type { Earlier } from '../items/earlier.ts'
import type { Item } from '../items/fields.ts'
import { reloadLogsAtom } from '../items/log.ts'
import { offerUndo } from '../trash/undo.ts'

type EarlierChange = { shown: Earlier; wanted: Partial<Earlier> }

export type PartOnBikes = Pick<Item, 'part_id' | 'name'> & { bikes: readonly number[] }

/** Saves a part's usage from before the log, and offers Undo. Rejects if the write fails. */
export const changeEarlierAtom = atom(null, async (get, set, part: PartOnBikes, change: EarlierChange) => {
  const { part_id, bikes } = part
  const [of, after] = [quote(part.name), () => set(reloadLogsAtom, bikes)]
  try {
    const done = await editRow(get(backendAtom).client, 'parts', part_id, change.shown, change.wanted)
    offerUndo(get, set, `The earlier usage of ${of} was saved.`, { change: done, of, after })
  } catch (cause) {
    void after()
    throw cause
  }
  await after()
})
