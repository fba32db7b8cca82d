import { atom, type Getter } from 'jotai'

import { entryField, SUCCESSOR_FIELDS } from '../../../supabase/functions/_shared/entry-fields.ts'
import { dayAtAtom, todayAtom } from '../../lib/clock.ts'
import { dayOf, timestampOf } from '../../lib/days.ts'
import { dateKind, pastDayKind } from '../../lib/field-kinds.ts'
import { formatsAtom } from '../../lib/formats.ts'
import { newUuid } from '../../lib/writes.ts'
import type { Completion } from './completions.ts'
import { draftAtom, draftedFieldsAtom, draftKey } from './drafts.ts'
import { type Field, FIELD_NAMES, FIELDS, type FieldState, type Item, stateOf, type Value } from './fields.ts'

/** The form of an entry that isn't stored yet: of a new one or, with `replaced`, of that item's replacement. */
export type EntryForm = { bikeId: number; replaced?: Item | undefined }

/** The fields of a replacement. `dateStarted` is the day of the replacement. */
const REPLACE_FIELDS: readonly Field[] = [...SUCCESSOR_FIELDS, 'dateStarted']

export const fieldsOf = ({ replaced }: EntryForm): readonly Field[] =>
  replaced ? REPLACE_FIELDS : FIELD_NAMES

const entryOf = ({ replaced }: EntryForm) => (replaced ? (`replace-${replaced.id}` as const) : 'new')

const draftOf = (form: EntryForm, field: Field) => draftAtom(draftKey(form.bikeId, entryOf(form), field))

export const hasFormDraft = (get: Getter, form: EntryForm): boolean =>
  get(draftedFieldsAtom(form.bikeId)).has(entryOf(form))

/** `value` is undefined while a new entry's field is empty. */
export type FormCell = {
  field: Field
  text: string
  isChanged: boolean
  value: Value | undefined
  state: FieldState
}

export function formCell(get: Getter, form: EntryForm, field: Field): FormCell {
  const draft = get(draftOf(form, field))
  const { text: filled, before } = filledIn(get, form, field)
  const text = draft?.text ?? filled
  const state = formState(get, form, field, text, before)
  const value = state.status === 'dirty' ? state.value : before
  return { field, text, isChanged: text !== filled, value, state }
}

/** Returns what a field holds at first: nothing or, in a replacement, today or what it takes over. */
function filledIn(get: Getter, { replaced }: EntryForm, field: Field): { text: string; before?: Value } {
  if (!replaced) return { text: '' }
  const before = entryField(field).onReplace === 'empty' ? null : replaced[field]
  const formats = get(formatsAtom)
  const isDay = field === 'dateStarted'
  return { text: isDay ? formats.day(get(todayAtom)) : FIELDS[field].format(before, formats), before }
}

function formState(
  get: Getter,
  { bikeId, replaced }: EntryForm,
  field: Field,
  text: string,
  before?: Value,
): FieldState {
  const formats = get(formatsAtom)
  if (!replaced) return stateOf(field, text, datesOf(get, bikeId), { formats, isNew: true })
  if (field !== 'dateStarted') return stateOf(field, text, replaced, { formats, before, isNew: true })
  const notBefore = { day: dayOf(replaced.dateStarted), what: 'installed' }
  return stateOf(field, text, replaced, {
    formats,
    kind: dateKind(pastDayKind(get(todayAtom), notBefore)),
  })
}

/** Returns the dates that a new entry will have. Its end is validated against the start. */
function datesOf(get: Getter, bikeId: number): Pick<Item, 'dateStarted' | 'dateEnded'> {
  const start = get(draftOf({ bikeId }, 'dateStarted'))?.text ?? ''
  const day = get(formatsAtom).parseDay(start) ?? get(dayAtAtom)(Date.now())
  return { dateStarted: timestampOf(day), dateEnded: null }
}

export const typeFormAtom = atom(null, (get, set, form: EntryForm, field: Field, text: string) => {
  const draft = draftOf(form, field)
  set(draft, text === '' && !form.replaced ? null : { ...get(draft), text, base: '' })
})

/** Takes what a name completes to, and along with it what the owner hasn't entered. */
export const completeFormAtom = atom(null, (get, set, form: EntryForm, completion: Completion) => {
  const formats = get(formatsAtom)
  for (const field of ['name', 'type', 'cost'] as const) {
    const { isChanged } = formCell(get, form, field)
    if (field !== 'name' && (isChanged || !completion[field])) continue
    set(typeFormAtom, form, field, FIELDS[field].format(completion[field], formats))
  }
})

/** Restores a field's first text. The name's draft of a replacement keeps the request key. */
export const restoreFormAtom = atom(null, (get, set, form: EntryForm, field: Field) => {
  const draft = get(draftOf(form, field))
  const { text } = filledIn(get, form, field)
  const isKey = form.replaced && draft?.requestKey !== undefined
  set(draftOf(form, field), isKey ? { ...draft, text } : null)
})

export const discardFormAtom = atom(null, (_get, set, form: EntryForm) => {
  for (const field of fieldsOf(form)) set(draftOf(form, field), null)
})

/** Empties the form of a new entry, except for text typed since `cells` were read, which belongs to the next entry. */
export const settleFormAtom = atom(null, (get, set, form: EntryForm, cells: readonly FormCell[]) => {
  for (const { field, text } of cells) {
    const draft = get(draftOf(form, field))
    set(draftOf(form, field), draft && draft.text !== text ? { text: draft.text, base: '' } : null)
  }
})

/**
 * Stores a request key with the name's draft, so it survives a reload and a retry adds nothing twice. A new entry's key stays
 * the same until the entry is added or its name is emptied.
 */
export const requestKeyAtom = atom(null, (get, set, form: EntryForm, isNew = false): string => {
  const draft = get(draftOf(form, 'name')) ?? { text: formCell(get, form, 'name').text, base: '' }
  const requestKey = (isNew ? undefined : draft.requestKey) ?? newUuid()
  set(draftOf(form, 'name'), { ...draft, requestKey })
  return requestKey
})

const savingBase = atom(false)

export const isFormSavingAtom = atom((get) => get(savingBase))

export type SaveResult = 'saved' | 'nameless' | 'invalid' | 'busy' | 'failed'

type Save = {
  write: (cells: readonly FormCell[], key: string) => Promise<void>
  onFailure: (cause: unknown) => void
}

/** Saves a form whose fields are valid, one form at a time. */
export const saveFormAtom = atom(
  null,
  async (get, set, form: EntryForm, { write, onFailure }: Save): Promise<SaveResult> => {
    const cells = fieldsOf(form).map((field) => formCell(get, form, field))
    if (cells.some(({ field, text }) => field === 'name' && text.trim() === '')) return 'nameless'
    if (cells.some(({ state }) => state.status === 'invalid')) return 'invalid'
    if (get(savingBase)) return 'busy'
    set(savingBase, true)
    try {
      await write(cells, set(requestKeyAtom, form))
      return 'saved'
    } catch (cause) {
      onFailure(cause)
      return 'failed'
    } finally {
      set(savingBase, false)
    }
  },
)
