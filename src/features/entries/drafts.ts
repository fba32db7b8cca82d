import { atom, type Getter } from 'jotai'
import { atomFamily } from 'jotai-family'
import { atomWithStorage, RESET } from 'jotai/utils'
import * as v from 'valibot'

import { KIND_NAMES, POSITIONS } from '../../../supabase/functions/_shared/kinds.ts'
import { settingsSchema } from '../../../supabase/functions/_shared/formats/settings.ts'
import { type Formats, formatsAtom, formatsFor } from '../../lib/formats.ts'
import { settingsAtom } from '../../lib/settings.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { ownerIdAtom } from '../session/atoms.ts'
import {
  announceDrafts,
  discardInOtherTabs,
  draftStorageOf,
  followDiscards,
  hasDrafts,
  ownerPrefix,
  storedKeys,
} from './draft-storage.ts'
import { type Field, FIELD_NAMES, type Item, knownAs } from './fields.ts'
import { logAtom } from './log.ts'

const Draft = v.object({
  text: v.string(),
  /** The stored value's neutral text when typing began. If it differs now, the value was changed elsewhere. */
  base: v.string(),
  /** The item's name when typing began, in case the item is deleted elsewhere. */
  itemName: v.optional(v.string()),
  /** Whether the owner cleared the value, as opposed to emptying the field while typing. */
  isCleared: v.optional(v.boolean()),
  /** Only in the name draft of a new item or successor: the item's request key, so a retry adds nothing. */
  requestKey: v.optional(v.string()),
  /** Only in the same draft: what the owner chose that the part is. */
  kind: v.optional(
    v.object({ kind: v.nullable(v.picklist(KIND_NAMES)), position: v.nullable(v.picklist(POSITIONS)) }),
  ),
  /** Only in the draft of a date: the order in which it was typed, in case the setting changes. */
  dates: v.optional(settingsSchema.entries.dates),
})

export type Draft = v.InferOutput<typeof Draft>

const draftStorage = draftStorageOf(Draft)

const storedDraftAtom = atomFamily((key: string) =>
  atomWithStorage<Draft | null>(key, null, draftStorage, { getOnInit: true }),
)

/** `item` is an item's id, or `new` or `replace-<id>` for a form. */
export const draftKey = (bikeId: number, item: number | string, field: Field): string =>
  `${bikeId}/${item}/${field}`

/** Names the form of an item's replacement, also once the item that waited has its own ID. */
export const replaceDraft = (item: Pick<Item, 'id' | 'waitingId'>): string => `replace-${knownAs(item)}`

/** A field's draft by draftKey, or null. Each owner has separate drafts. */
export const draftAtom = atomFamily((key: string) =>
  atom(
    (get) => inOrder(get(storedDraftAtom(ownerPrefix(get(ownerIdAtom)) + key)), get(formatsAtom)),
    (get, set, draft: Draft | null) => {
      const stored = storedDraftAtom(ownerPrefix(get(ownerIdAtom)) + key)
      const isListed = get(stored) !== null
      const { dates } = get(settingsAtom)
      set(stored, draft === null ? RESET : isDate(key) ? { ...draft, dates } : draft)
      if (isListed === (draft !== null)) return
      set(draftChangesAtom, (changes) => changes + 1)
      announceDrafts(get(ownerIdAtom))
    },
  ),
)

const isDate = (key: string) => /\/date\w+$/.test(key)

/** Writes a date as the settings now want it, so it keeps its meaning. */
function inOrder(draft: Draft | null, { settings, day }: Formats): Draft | null {
  if (!draft?.dates || draft.dates === settings.dates) return draft
  const typed = formatsFor({ ...settings, dates: draft.dates }).parseDay(draft.text)
  return typed === null ? draft : { ...draft, text: day(typed) }
}

/** Changes when a draft appears or disappears, because storage can't be observed. */
const draftChangesAtom = atom(0)
draftChangesAtom.onMount = (set) => {
  const count = () => set((changes) => changes + 1)
  // Another tab may have discarded the drafts while no screen showed them.
  count()
  return followDiscards(count)
}

/** The fields with a draft, by item id, `new` or `replace-<id>`. */
export const draftedFieldsAtom = atomFamily((bikeId: number) =>
  atom((get) => {
    get(draftChangesAtom)
    return fieldsWithDrafts(get, bikeId)
  }),
)

export const draftedItemsAtom = atomFamily((bikeId: number) =>
  atom((get) => itemsIn(get(draftedFieldsAtom(bikeId)))),
)

export const hasDraftsAtom = atom(null, (get) => hasDrafts(get(ownerIdAtom)))

/** Discards an owner's drafts in all tabs, even if the owner has already signed out. */
export const discardDraftsAtom = atom(null, (_get, set, ownerId: string) => {
  for (const key of storedKeys(ownerPrefix(ownerId))) set(storedDraftAtom(key), RESET)
  discardInOtherTabs(ownerId)
})

export type OrphanDrafts = { itemId: number; drafts: { field: Field; draft: Draft }[] }

/** A bike's drafts for items that were deleted elsewhere. They remain until the owner discards them. */
export const orphanDraftsAtom = weakFamily((bikeId: number) =>
  atom((get): OrphanDrafts[] => {
    const log = get(logAtom(bikeId))
    if (log.state !== 'ready') return []
    const known = new Set(log.data.flatMap((item) => [item.id, knownAs(item)]))
    return itemsIn(fieldsWithDrafts(get, bikeId))
      .filter((itemId) => !known.has(itemId))
      .map((itemId) => ({ itemId, drafts: FIELD_NAMES.flatMap((field) => draftOf(field, itemId)) }))
      .filter(({ drafts }) => drafts.length > 0)

    function draftOf(field: Field, itemId: number) {
      const draft = get(draftAtom(draftKey(bikeId, itemId, field)))
      return draft ? [{ field, draft }] : []
    }
  }),
)

export const discardOrphanDraftsAtom = atom(null, (_get, set, bikeId: number, itemId: number) => {
  for (const field of FIELD_NAMES) set(draftAtom(draftKey(bikeId, itemId, field)), null)
})

function fieldsWithDrafts(get: Getter, bikeId: number): ReadonlyMap<string, Field[]> {
  const prefix = `${ownerPrefix(get(ownerIdAtom))}${bikeId}/`
  const drafts = storedKeys(prefix).map((key) => key.slice(prefix.length).split('/') as [string, Field])
  return new Map(
    [...Map.groupBy(drafts, ([entry]) => entry)].map(([entry, of]) => [entry, of.map(([, field]) => field)]),
  )
}

const itemsIn = (drafted: ReturnType<typeof fieldsWithDrafts>): number[] =>
  [...drafted.keys()].map(Number).filter(Number.isInteger)
