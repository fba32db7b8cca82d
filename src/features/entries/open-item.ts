import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { addressAtom } from '../../lib/address.ts'
import { isTwoLineAtom } from '../../lib/screen.ts'

/** The open item's id from the address, or null. It is negative while the item waits. The log may not contain the item. */
export const openItemIdAtom = atom((get) => {
  const text = get(addressAtom)['item'] ?? ''
  return /^-?[1-9]\d{0,15}$/.test(text) ? Number(text) : null
})

export const openItemAtom = atom(null, (get, set, id: number | null) => {
  // In the table, details are a row, which needs no Back.
  const by = id === null ? 'close' : get(isTwoLineAtom) ? 'open' : 'replace'
  set(addressAtom, { set: { item: id === null ? null : String(id), form: null }, by })
})

const FORMS = ['new', 'replace', 'measure'] as const

/** The form that is open: for a new entry, or for the replacement or a measurement of the open item. */
export const openFormAtom = atom((get) => FORMS.find((form) => form === get(addressAtom)['form']) ?? null)

export const openNewFormAtom = atom(null, (_get, set) =>
  set(addressAtom, { set: { item: null, form: 'new' }, by: 'open' }),
)

export const openItemFormAtom = atom(null, (_get, set, id: number, form: 'replace' | 'measure') =>
  set(addressAtom, { set: { item: String(id), form }, by: 'replace' }),
)

/** Closes the form. Its item stays open. */
export const closeFormAtom = atom(null, (get, set) =>
  set(addressAtom, { set: { form: null }, by: get(openFormAtom) === 'new' ? 'close' : 'replace' }),
)

export const isItemOpenAtom = atomFamily((id: number) => atom((get) => get(openItemIdAtom) === id))

/** Stored in the address, so links to an entry open the table and Back returns to the timeline. */
export const logViewAtom = atom(
  (get) => get(addressAtom)['view'] ?? 'table',
  (_get, set, view: string) =>
    set(addressAtom, {
      set: { view: view === 'table' ? null : view, tab: null, use: null, item: null, year: null, day: null },
      by: 'push',
    }),
)

/** The item that has focus or was just added. It stays in the table, even if the filter excludes it. */
export const heldItemAtom = atom<number | null>(null)
