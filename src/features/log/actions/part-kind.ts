import { atom, useAtomValue, useStore } from 'jotai'
import { useState } from 'react'

import { type KindAndPosition, UNKNOWN_KIND } from '../../../../supabase/functions/_shared/kinds.ts'
import { draftedFieldsAtom } from '../../entries/drafts.ts'
import type { EntryValues } from '../../entries/entry-form.ts'
import { loadedProposerAtom, type Proposer, proposerAtom } from '../../entries/proposals.ts'

const nothingAtom = atom(undefined)

/** Proposes what a form's part is once the rules are loaded. */
export const proposeAtom = atom(null, async (get, _set, values: EntryValues) =>
  proposal(await get(proposerAtom), values),
)

function proposal(proposer: Proposer | null | undefined, { name, type }: EntryValues): KindAndPosition {
  if (!proposer || typeof name !== 'string') return UNKNOWN_KIND
  return proposer.kindOf({ name, type: typeof type === 'string' ? type : null })
}

type KindForm = {
  initial: { kind: KindAndPosition | null }
  inputs: { kind: KindAndPosition | null }
  values: EntryValues
  isSaving: boolean
  set(this: void, field: 'kind', kind: KindAndPosition | null): void
}

/**
 * Returns what a form's part is: what the owner chose, what the part that it replaces is or, until then, what its name and type
 * propose. `setName` is for names of two parts: the other part is the next entry. Without it, names aren't split.
 */
export function usePartKind(bikeId: number, form: KindForm, setName?: (name: string) => void) {
  const store = useStore()
  const { initial, inputs, values, isSaving, set } = form
  const { name } = values
  const chosen = inputs.kind
  const [next, setNext] = useState<string | null>(null)
  const isNamed = typeof name === 'string' && name !== ''
  const loaded = useAtomValue(isNamed && !isSaving ? loadedProposerAtom : nothingAtom)
  const [held, hold] = useState(loaded)
  if (loaded !== undefined && loaded !== held) hold(loaded)
  // Held while the entry is saved, because a write makes an atom that is in use read all logs again.
  const proposer = isNamed ? (loaded ?? held) : undefined
  const proposed = proposal(proposer, values)
  const [first, ...others] = isNamed && setName ? (proposer?.partsIn(name) ?? []) : []
  return {
    chosen,
    value: chosen ?? proposed,
    /** Whether to ask at which end the part is. Stays, so that the focus isn't lost with the answer. */
    asksForEnd: (initial.kind ?? proposed).position === null,
    isShown: isNamed,
    choose(kind: KindAndPosition) {
      const isInitial = kind.kind === initial.kind?.kind && kind.position === initial.kind.position
      set('kind', isInitial ? initial.kind : kind)
    },
    split:
      first !== undefined && setName
        ? () => {
            setName(first)
            setNext(others.join(' and '))
          }
        : null,
    /** Call it once the entry is added. */
    onAdded() {
      setNext(null)
      // Text typed during the request comes first.
      if (next !== null && !store.get(draftedFieldsAtom(bikeId)).has('new')) setName?.(next)
    },
  }
}

export type PartKindChoice = Omit<ReturnType<typeof usePartKind>, 'onAdded'>
