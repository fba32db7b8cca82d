import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import type { Item } from './api.ts'
import { draftAtom, placeKey } from './drafts.ts'
import { type Field, textOf, type Value } from './fields.ts'
import { judge, type Verdict } from './judge.ts'

/** A save that is under way. */
export type Saving = { text: string; value: Value; done: Promise<void> }

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
export function cellOf(
  item: Item,
  field: Field,
  draft: { text: string; base: string } | null,
  saving: Saving | null,
): Cell {
  const stored = textOf(field, item)
  const text = draft?.text ?? stored
  const verdict = judge(field, text, saving ? { ...item, [field]: saving.value } : item)
  const isConflict = draft !== null && saving === null && verdict.status !== 'clean' && draft.base !== stored
  return { text, verdict, isSaving: saving !== null, changedTo: isConflict ? stored : null }
}

/** Types into a cell. What equals the stored value is no draft, unless another value is just on its way there. */
export const typeAtom = atom(null, (get, set, item: Item, field: Field, text: string) => {
  const key = cellKey(item, field)
  const stored = textOf(field, item)
  const isDraft = text !== stored || get(savingAtom(key)) !== null
  set(draftAtom(key), isDraft ? { text, base: get(draftAtom(key))?.base ?? stored } : null)
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
  if (judge(field, draft.text, item).status === 'clean') set(draftAtom(key), null)
})
