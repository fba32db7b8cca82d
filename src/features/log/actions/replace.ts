import { atom, type Getter } from 'jotai'
import { atomFamily } from 'jotai-family'

import { entryField, SUCCESSOR_FIELDS } from '../../../../supabase/functions/_shared/entry-fields.ts'
import { notifyFailure } from '../../../components/toasts.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { SavedEarlier } from '../../../lib/errors.ts'
import { dateKind, pastDayKind } from '../../../lib/field-kinds.ts'
import { formatsAtom, quote } from '../../../lib/formats.ts'
import { failureMessage, newUuid } from '../../../lib/writes.ts'
import { draftAtom, draftKey } from '../data/drafts.ts'
import { type Field, FIELDS, type FieldState, type Item, stateOf, type Value } from '../data/fields.ts'
import { jumpToAtom } from '../data/jump.ts'
import { openItemAtom } from '../data/open-item.ts'
import { offerUndo } from '../../trash/mutate.ts'
import type { Reason } from './api.ts'
import { changePartsAtom } from './atoms.ts'

/** The fields of an item's replace line. `dateStarted` is the day of the replacement. */
export const LINE_FIELDS = [...SUCCESSOR_FIELDS, 'dateStarted'] as const

type LineField = (typeof LINE_FIELDS)[number]

const draftOf = ({ bikeId, id }: Item, field: Field) => draftAtom(draftKey(bikeId, `replace-${id}`, field))

const requestedBase = atom<number | null>(null)

export const requestedAtom = atom((get) => get(requestedBase))

export const requestReplaceAtom = atom(null, (_get, set, item: Pick<Item, 'id'> | null) =>
  set(requestedBase, item?.id ?? null),
)

/** Returns whether to show an item's replace line: the owner opened it, or typed into it before a reload. */
export function isReplacing(get: Getter, item: Item): boolean {
  return get(requestedBase) === item.id || LINE_FIELDS.some((field) => get(draftOf(item, field)) !== null)
}

export const reasonAtom = atomFamily((_itemId: number) => atom<Reason>('worn'))

const savingBase = atom<number | null>(null)

export const savingAtom = atom((get) => get(savingBase))

export type LineCell = { text: string; isChanged: boolean; value: Value; state: FieldState }

/** Returns a field's state. Defaults to today, to the item's value, or to nothing. */
export function lineCell(get: Getter, item: Item, field: LineField): LineCell {
  const today = get(todayAtom)
  const formats = get(formatsAtom)
  const isDay = field === 'dateStarted'
  const before = entryField(field).onReplace === 'empty' ? null : item[field]
  const filled = isDay ? formats.day(today) : FIELDS[field].format(before, formats)
  const text = get(draftOf(item, field))?.text ?? filled
  const kind = dateKind(pastDayKind(today, { day: dayOf(item.dateStarted), what: 'installed' }))
  const state = stateOf(field, text, item, isDay ? { formats, kind } : { formats, before, isNew: true })
  const value = state.status === 'dirty' ? state.value : before
  return { text, isChanged: text !== filled, value, state }
}

export const typeLineAtom = atom(null, (get, set, item: Item, field: LineField, text: string) => {
  const draft = get(draftOf(item, field))
  set(draftOf(item, field), { ...draft, text, base: '', itemName: item.name })
})

export const restoreLineAtom = atom(null, (get, set, item: Item, field: LineField) => {
  const draft = get(draftOf(item, field))
  set(draftOf(item, field), null)
  // The name's draft stores the request key.
  if (draft?.requestKey !== undefined)
    set(draftOf(item, field), { ...draft, text: lineCell(get, item, field).text })
})

export const closeReplaceLineAtom = atom(null, (_get, set, item: Item) => {
  for (const field of LINE_FIELDS) set(draftOf(item, field), null)
  set(requestedBase, null)
})

/** Stores the key with the name's draft, so it survives a reload and a retry never adds a second replacement. */
const storeKeyAtom = atom(null, (get, set, item: Item, requestKey: string) =>
  set(draftOf(item, 'name'), {
    text: lineCell(get, item, 'name').text,
    base: '',
    itemName: item.name,
    requestKey,
  }),
)

/** Ends the item and adds its replacement. Resolves to false if a field is invalid. */
export const replaceAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  const cells = new Map(LINE_FIELDS.map((field) => [field, lineCell(get, item, field)]))
  if ([...cells.values()].some(({ state }) => state.status === 'invalid')) return false
  if (get(savingBase) !== null) return true

  const values = Object.fromEntries([...cells].map(([field, { value }]) => [field, value]))
  const { dateStarted, ...successor } = values as Pick<Item, LineField>
  const change = {
    day: dayOf(dateStarted),
    take_off: [{ id: item.id, ended_as: get(reasonAtom(item.id)) }],
    put_on: [{ replaces: item.id, ...successor }],
  }
  const key = get(draftOf(item, 'name'))?.requestKey ?? newUuid()
  set(storeKeyAtom, item, key)
  set(savingBase, item.id)
  try {
    const onWritten = () => {
      set(closeReplaceLineAtom, item)
      set(openItemAtom, null)
    }
    const { answer } = await set(changePartsAtom, change, key, {
      name: item.name,
      done: 'replaced',
      onWritten,
    })
    if (answer.added[0]) set(jumpToAtom, answer.added[0].id)
  } catch (cause) {
    if (cause instanceof SavedEarlier) {
      set(storeKeyAtom, item, newUuid())
      const message = `An earlier version was saved. To replace ${quote(item.name)} as typed now, undo that first.`
      offerUndo(get, set, message, { change: cause.stored.change, of: quote(item.name) })
    } else notifyFailure(failureMessage(quote(item.name), 'replaced', cause))
  } finally {
    set(savingBase, null)
  }
  return true
})
