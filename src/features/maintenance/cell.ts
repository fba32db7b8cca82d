import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { type Draft, draftAtom, draftKey } from './drafts.ts'
import { type Field, FIELDS, type Item, type Value } from './fields.ts'
import { type FieldState, validateDraft } from './validate.ts'

/** A save in progress. `done` resolves to the value that the next save replaces. */
export type Saving = { text: string; value: Value; done: Promise<Value> }

/** The save in progress in a cell, by the cell's key. */
export const savingAtom = atomFamily((_key: string) => atom<Saving | null>(null))

export function cellKey(item: Item, field: Field): string {
  return draftKey(item.bikeId, item.id, field)
}

type Cell = {
  text: string
  isSaving: boolean
  state: FieldState
  /** The stored value, if it changed after typing began. */
  changedTo: string | null
}

/** What a cell shows for its stored item, its draft and its save in progress. */
export function cellOf(item: Item, field: Field, draft: Draft | null, saving: Saving | null): Cell {
  const stored = FIELDS[field].format(item[field])
  const text = draft?.text ?? stored
  const state = validateDraft(field, draft ?? { text }, saving ? { ...item, [field]: saving.value } : item)
  const isConflict = draft !== null && saving === null && state.status === 'dirty' && draft.base !== stored
  return { text, state, isSaving: saving !== null, changedTo: isConflict ? stored : null }
}

/** Updates a cell's draft. Typing the stored value back removes the draft, unless another value is being saved. */
export const typeAtom = atom(null, (get, set, item: Item, field: Field, text: string) => {
  const key = cellKey(item, field)
  const stored = FIELDS[field].format(item[field])
  const isDraft = text !== stored || get(savingAtom(key)) !== null
  const { base = stored, itemName = item.name } = get(draftAtom(key)) ?? {}
  set(draftAtom(key), isDraft ? { text, base, itemName } : null)
})

/** Clears a value as a draft; SAVE stores it. */
export const clearAtom = atom(null, (_get, set, item: Item, field: Field) => {
  const base = FIELDS[field].format(item[field])
  set(draftAtom(cellKey(item, field)), { text: '', base, itemName: item.name, isCleared: true })
})

/** Returns to the stored value. */
export const restoreAtom = atom(null, (_get, set, item: Item, field: Field) =>
  set(draftAtom(cellKey(item, field)), null),
)

/** On leaving a cell, drops a draft that means the stored value, such as one with trailing spaces. Never saves. */
export const leaveAtom = atom(null, (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null || get(savingAtom(key)) !== null) return
  if (validateDraft(field, draft, item).status === 'clean') set(draftAtom(key), null)
})
