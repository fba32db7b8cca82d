import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import type { Item } from './api.ts'
import type { Draft } from './draft-storage.ts'
import { draftAtom, placeKey } from './drafts.ts'
import { type Field, textOf, type Value } from './fields.ts'
import { judgeDraft, type Verdict } from './judge.ts'

/** A save that is under way; `done` resolves to the value that the next save replaces. */
export type Saving = { text: string; value: Value; done: Promise<Value> }

/** The save that is under way in a cell, by the cell's key. */
export const savingAtom = atomFamily((_key: string) => atom<Saving | null>(null))

export function cellKey(item: Item, field: Field): string {
  return placeKey({ bikeId: item.bikeId, record: item.id }, field)
}

export type Cell = {
  text: string
  isSaving: boolean
  verdict: Verdict
  /** The stored value, where it changed after the typing began. */
  changedTo: string | null
}

/** What a cell shows, from its stored item, its draft and the save under way. */
export function cellOf(item: Item, field: Field, draft: Draft | null, saving: Saving | null): Cell {
  const stored = textOf(field, item)
  const text = draft?.text ?? stored
  const verdict = judgeDraft(field, draft ?? { text }, saving ? { ...item, [field]: saving.value } : item)
  const isConflict = draft !== null && saving === null && verdict.status === 'dirty' && draft.base !== stored
  return { text, verdict, isSaving: saving !== null, changedTo: isConflict ? stored : null }
}

/** Types into a cell. What equals the stored value is no draft, unless another value is just on its way there. */
export const typeAtom = atom(null, (get, set, item: Item, field: Field, text: string) => {
  const key = cellKey(item, field)
  const stored = textOf(field, item)
  const isDraft = text !== stored || get(savingAtom(key)) !== null
  const { base = stored, itemName = item.name } = get(draftAtom(key)) ?? {}
  set(draftAtom(key), isDraft ? { text, base, itemName } : null)
})

/** Clears a value; like anything typed, it is saved by SAVE. */
export const clearAtom = atom(null, (_get, set, item: Item, field: Field) => {
  const draft = { text: '', base: textOf(field, item), itemName: item.name, isCleared: true }
  set(draftAtom(cellKey(item, field)), draft)
})

/** Goes back to the stored value. */
export const restoreAtom = atom(null, (_get, set, item: Item, field: Field) =>
  set(draftAtom(cellKey(item, field)), null),
)

/** On leaving a cell: a draft that means the stored value (blanks around it, say) is none. Nothing is ever saved. */
export const leaveAtom = atom(null, (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null || get(savingAtom(key)) !== null) return
  if (judgeDraft(field, draft, item).status === 'clean') set(draftAtom(key), null)
})
