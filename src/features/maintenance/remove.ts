import { atom } from 'jotai'

import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { sentenceFor, toAppError } from '../../lib/errors.ts'
import { deleteItem, insertItem, type Item } from './api.ts'
import { cellKey } from './cell.ts'
import { draftAtom } from './drafts.ts'
import { FIELDS } from './fields.ts'
import { reloadLogAtom } from './log.ts'

/** Deletes an item and offers to undo that; tells whether it is deleted. */
export const removeAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  try {
    await deleteItem(get(backendAtom).client, item.bikeId, item.id)
  } catch (cause) {
    notifyFailure(`“${item.name}” was not deleted. ${sentenceFor(toAppError(cause))}`)
    return false
  }
  const drafts = FIELDS.map((field) => ({
    at: draftAtom(cellKey(item, field)),
    draft: get(draftAtom(cellKey(item, field))),
  }))
  for (const { at } of drafts) set(at, null)
  const undo = async () => {
    const isBack = await set(bringBackAtom, item)
    if (isBack) for (const { at, draft } of drafts) set(at, draft)
  }
  notifyWithAction(`“${item.name}” was deleted.`, { label: 'Undo', run: () => void undo() })
  await set(reloadLogAtom, item.bikeId, true)
  return true
})

const bringBackAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  try {
    await insertItem(get(backendAtom).client, item)
  } catch (cause) {
    // The record lives on in this toast alone, so it stays until it is answered.
    notifyWithAction(
      `“${item.name}” was not brought back. ${sentenceFor(toAppError(cause))}`,
      { label: 'Try again', run: () => void set(bringBackAtom, item) },
      { stays: true },
    )
    return false
  }
  await set(reloadLogAtom, item.bikeId, true)
  return true
})
