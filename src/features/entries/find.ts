import { atom } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { fold, matcher } from '../../lib/search.ts'
import { type Item, searchedText } from './fields.ts'
import { heldItemAtom } from './open-item.ts'

/** A search that isn't in the address yet. */
export const findDraftAtom = atom<string | null>(null)

/** Whether the owner chose which of the found entries to show. A search starts with all. */
export const isFoundNarrowedAtom = atom(false)

/** The text to find in entries. Writing it doesn't change the address until it is committed. */
export const findAtom = atom(
  (get) => get(findDraftAtom) ?? get(addressAtom)['find'] ?? '',
  (get, set, text: string) => {
    set(heldItemAtom, null)
    if (!get(isFindingAtom) || text.trim() === '') set(isFoundNarrowedAtom, false)
    set(findDraftAtom, text)
  },
)

export const commitFindAtom = atom(null, (get, set) => {
  const find = get(findDraftAtom)
  if (find === null) return
  set(addressAtom, { set: { find: find.trim() || null }, by: 'replace' })
  set(findDraftAtom, null)
})

export const isFindingAtom = atom((get) => get(findAtom).trim() !== '')

/** A function that returns whether an item matches the search. */
export const foundAtom = atom((get) => {
  const matches = matcher(get(findAtom))
  return (item: Item) => matches(fold(`${searchedText(item)} ${item.type ?? ''}`))
})
