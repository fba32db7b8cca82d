import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { atomWithStorage, RESET } from 'jotai/utils'
import * as v from 'valibot'

import type { FormState } from '../../components/use-form.ts'
import { ownerIdAtom } from '../session/atoms.ts'
import { announceDrafts, draftStorageOf, ownerPrefix } from './draft-storage.ts'

const State = v.object({ chosen: v.record(v.string(), v.unknown()), key: v.optional(v.string()) })

const storage = draftStorageOf<FormState>(State)

const storedAtom = atomFamily((key: string) =>
  atomWithStorage<FormState | null>(key, null, storage, { getOnInit: true }),
)

const EMPTY: FormState = { chosen: {} }

/** A dialog's inputs and key by the form's name, which survive a reload. Each owner has separate ones. */
export const formDraftsAtom = atomFamily((name: string) =>
  atom(
    (get): FormState => get(storedAtom(ownerPrefix(get(ownerIdAtom)) + name)) ?? EMPTY,
    (get, set, state: FormState) => {
      const isEmpty = Object.keys(state.chosen).length === 0 && state.key === undefined
      set(storedAtom(ownerPrefix(get(ownerIdAtom)) + name), isEmpty ? RESET : state)
      announceDrafts(get(ownerIdAtom))
    },
  ),
)
