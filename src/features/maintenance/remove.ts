import { atom, type Getter, type Setter } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/quote.ts'
import { failureMessage } from '../../lib/writes.ts'
import { type DeletedItem, deleteItem, type Item, restoreItem } from './api.ts'
import { cellKey } from './cell.ts'
import type { Draft } from './draft-storage.ts'
import { draftAtom } from './drafts.ts'
import { type Field, FIELDS } from './fields.ts'
import { reloadLogAtom } from './log.ts'

type Removed = { item: DeletedItem; drafts: { field: Field; draft: Draft | null }[] }

/** Deletes an item and offers to undo that; tells whether it is deleted. */
export const removeAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  let deleted: DeletedItem
  try {
    // Without an answer, what is on the screen is all there is to bring back.
    deleted = (await deleteItem(get(backendAtom).client, item)) ?? item
  } catch (cause) {
    notifyFailure(failureMessage(quote(item.name), 'deleted', cause))
    return false
  }
  const drafts = FIELDS.map((field) => ({ field, draft: get(draftAtom(cellKey(item, field))) }))
  for (const { field } of drafts) set(draftAtom(cellKey(item, field)), null)
  notifyWithAction(`${quote(item.name)} was deleted.`, {
    label: 'Undo',
    run: () => void bringBack(get, set, { item: deleted, drafts }),
  })
  await set(reloadLogAtom, item.bikeId, true)
  return true
})

/** Inserts a deleted item as it was, and what was typed into it. */
async function bringBack(get: Getter, set: Setter, removed: Removed): Promise<void> {
  const { item, drafts } = removed
  try {
    await restoreItem(get(backendAtom).client, item)
  } catch (cause) {
    // The item only exists in this toast, so it stays until the owner answers.
    notifyWithAction(
      failureMessage(quote(item.name), 'restored', cause),
      { label: 'Try again', run: () => void bringBack(get, set, removed) },
      { stays: true },
    )
    return
  }
  set(announceAtom, `${quote(item.name)} is back.`)
  await set(reloadLogAtom, item.bikeId, true)
  for (const { field, draft } of drafts) set(draftAtom(cellKey(item, field)), draft)
}
