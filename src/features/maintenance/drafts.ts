import { atom, type Getter } from 'jotai'
import { atomFamily } from 'jotai-family'
import { atomWithStorage, RESET } from 'jotai/utils'

import { ownerIdAtom } from '../session'
import { draftKeys, type Draft, draftStorage } from './draft-storage.ts'
import type { Field } from './fields.ts'

/** Where a draft belongs: a record of a bike's log, or its new-row line. */
export type Place = { bikeId: number; record: number | 'new' }

export function placeKey({ bikeId, record }: Place, field: Field): string {
  return `${bikeId}/${record}/${field}`
}

const storedDraftAtom = atomFamily((key: string) =>
  atomWithStorage<Draft | null>(key, null, draftStorage, { getOnInit: true }),
)

function ownerPrefix(ownerId: string | null): string {
  return `draft/${ownerId}/`
}

/** What was typed into a field and not saved, by its place; null when nothing was. Each owner has drafts of their own. */
export const draftAtom = atomFamily((key: string) =>
  atom(
    (get) => get(storedDraftAtom(ownerPrefix(get(ownerIdAtom)) + key)),
    (get, set, draft: Draft | null) =>
      set(storedDraftAtom(ownerPrefix(get(ownerIdAtom)) + key), draft ?? RESET),
  ),
)

/** The ids of the records of a bike that have drafts now. */
export function draftedRecords(get: Getter, bikeId: number): number[] {
  const prefix = `${ownerPrefix(get(ownerIdAtom))}${bikeId}/`
  const records = draftKeys(prefix).map((key) => Number(key.slice(prefix.length).split('/')[0]))
  return [...new Set(records)].filter(Number.isInteger)
}

/** Whether the owner has drafts anywhere; looked up when asked. */
export const hasDraftsAtom = atom(null, (get) => draftKeys(ownerPrefix(get(ownerIdAtom))).length > 0)

/** Throws all drafts of an owner away, who may have signed out just now. */
export const discardDraftsAtom = atom(null, (_get, set, ownerId: string) => {
  for (const key of draftKeys(ownerPrefix(ownerId))) set(storedDraftAtom(key), RESET)
})
