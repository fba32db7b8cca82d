import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import type { Draft } from './draft-storage.ts'
import { draftAtom, draftedRecords, placeKey } from './drafts.ts'
import { type Field, FIELDS } from './fields.ts'
import { logAtom } from './log.ts'

type Typed = { field: Field; draft: Draft }

/** What was typed into an item that is no longer in its log. */
export type Orphan = { record: number; typed: Typed[] }

/**
 * Drafts of records that were deleted elsewhere, by bike. They are kept: the record may be brought back there, and what
 * was typed is the owner's to throw away.
 */
export const orphansAtom = atomFamily((bikeId: number) =>
  atom((get): Orphan[] => {
    const log = get(logAtom(bikeId))
    if (log.state !== 'ready') return []
    const known = new Set(log.data.map(({ id }) => id))
    return draftedRecords(get, bikeId)
      .filter((record) => !known.has(record))
      .map((record) => ({ record, typed: FIELDS.flatMap((field) => typedInto(field, record)) }))
      .filter(({ typed }) => typed.length > 0)

    function typedInto(field: Field, record: number): Typed[] {
      const draft = get(draftAtom(placeKey({ bikeId, record }, field)))
      return draft ? [{ field, draft }] : []
    }
  }),
)

/** Throws away what was typed into such a record. */
export const discardOrphanAtom = atom(null, (_get, set, bikeId: number, record: number) => {
  for (const field of FIELDS) set(draftAtom(placeKey({ bikeId, record }, field)), null)
})
