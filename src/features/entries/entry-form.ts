import { atom } from 'jotai'

import {
  entryField,
  SUCCESSOR_FIELDS,
  type SuccessorField,
} from '../../../supabase/functions/_shared/entry-fields.ts'
import type { KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import type { FormState } from '../../components/use-form.ts'
import { type Day, dayOf, timestampOf } from '../../lib/days.ts'
import { dateKind, pastDayKind, type TextKind } from '../../lib/field-kinds.ts'
import { choiceKind } from '../../lib/forms.ts'
import type { Formats } from '../../lib/formats.ts'
import { type Draft, draftAtom, draftKey, replaceDraft } from './drafts.ts'
import { type Field, FIELD_NAMES, FIELDS, type Item, parseNew, validate, type Value } from './fields.ts'

/** The form of an entry that isn't stored yet: of a new one or, with `replaced`, of that item's replacement. */
export type EntryForm = { bikeId: number; replaced?: Item | undefined }

/** The fields of a replacement. `dateStarted` is the day of the replacement. */
const REPLACE_FIELDS: readonly Field[] = [...SUCCESSOR_FIELDS, 'dateStarted']

export const fieldsOf = ({ replaced }: EntryForm): readonly Field[] =>
  replaced ? REPLACE_FIELDS : FIELD_NAMES

/** The values of a form's fields. Undefined: a new entry's field is empty. */
export type EntryValues = Partial<Record<Field, Value | undefined>>

type EntryKinds = Record<Field, TextKind<Value | undefined>>

/** Returns how a form's fields are read, and what the owner chose that the part is. Null: nothing, so its name and type say it. */
export const entryKinds = (form: EntryForm, today: Day) => ({
  ...(Object.fromEntries(fieldsOf(form).map((field) => [field, kindOf(form, field, today)])) as EntryKinds),
  kind: choiceKind<KindAndPosition | null>(),
})

/** Returns what a form's part is at first: what it replaces, if that is known. */
export const kindTakenOver = ({ replaced }: EntryForm): KindAndPosition | null =>
  replaced?.kind ? { kind: replaced.kind, position: replaced.position } : null

function kindOf({ replaced }: EntryForm, field: Field, today: Day): TextKind<Value | undefined> {
  const notBefore = replaced && { day: dayOf(replaced.dateStarted), what: 'installed' }
  const kind = field === 'dateStarted' && replaced ? dateKind(pastDayKind(today, notBefore)) : undefined
  return {
    ...FIELDS[field],
    parse(text, formats) {
      if (field === 'name' && text.trim() === '') return { message: 'Enter a name first.' }
      if (text === '' && !replaced) return { value: undefined }
      return parseNew({ ...FIELDS[field], ...kind }, text, formats)
    },
  }
}

/** Returns what a replacement takes over. */
export const takenOver = (replaced: Item) =>
  Object.fromEntries(
    SUCCESSOR_FIELDS.map((field) => [
      field,
      entryField(field).onReplace === 'empty' ? null : replaced[field],
    ]),
  ) as Record<SuccessorField, Value>

/** Returns the problem of a new entry that ends before it starts. */
export function checkDates({ dateStarted, dateEnded }: EntryValues, today: Day, formats: Formats) {
  const start = String(dateStarted ?? timestampOf(today))
  const message = dateEnded
    ? validate('dateEnded', dateEnded, { dateStarted: start, dateEnded: null }, formats)
    : null
  return message === null ? {} : { dateEnded: message }
}

/**
 * Keeps a form's inputs and request key as drafts, so they survive a reload and a retry adds nothing twice. The key and the
 * chosen kind are in the name's draft: without a name, a new entry is another one, but a replacement stays the same.
 */
export const entryDraftsAtom = ({ bikeId, replaced }: EntryForm) => {
  const draftOf = (field: Field) =>
    draftAtom(draftKey(bikeId, replaced ? replaceDraft(replaced) : 'new', field))
  return atom(
    (get): FormState => {
      const drafts = FIELD_NAMES.map((field) => [field, get(draftOf(field))?.text] as const)
      const chosen = Object.fromEntries(drafts.filter(([, text]) => text !== undefined))
      const { requestKey: key, kind } = get(draftOf('name')) ?? {}
      return { chosen: kind ? { ...chosen, kind } : chosen, key }
    },
    (_get, set, { chosen, key }: FormState) => {
      for (const field of FIELD_NAMES) {
        const also = field === 'name' ? alsoInName(chosen, key) : {}
        const hasMore = Object.keys(also).length > 0
        const given = field === 'name' && chosen[field] === replaced?.name ? undefined : chosen[field]
        const text = (given ?? (hasMore ? replaced?.name : undefined)) as string | undefined
        set(draftOf(field), text === undefined ? null : { text, base: '', ...also })
      }
    },
  )
}

const alsoInName = ({ kind }: FormState['chosen'], requestKey: string | undefined): Partial<Draft> => ({
  ...(requestKey && { requestKey }),
  ...(kind ? { kind: kind as KindAndPosition } : undefined),
})
