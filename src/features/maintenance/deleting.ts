import { atom } from 'jotai'

import type { Item } from './api.ts'

const askedBase = atom<Item | null>(null)

/** The item of which the owner is asked whether to delete it. */
export const askedToDeleteAtom = atom(
  (get) => get(askedBase),
  (_get, set, item: Item | null) => set(askedBase, item),
)

/** The id of an item's Delete button, by which the focus finds its way after a deletion. */
export function deleteButtonId(item: Pick<Item, 'id'>): string {
  return `delete-${item.id}`
}
