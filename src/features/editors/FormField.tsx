import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'

import type { Completion } from '../entries/completions.ts'
import {
  completeFormAtom,
  type EntryForm,
  formCell,
  restoreFormAtom,
  typeFormAtom,
} from '../entries/entry-form.ts'
import type { Field } from '../entries/fields.ts'
import { FieldEditor, type Shape } from './FieldEditor.tsx'

const NAME_REQUIRED = { status: 'invalid', message: 'Enter a name first.' } as const

type Props = Shape & {
  form: EntryForm
  field: Field
  /** Whether the owner pressed SAVE without a name. */
  isNameRequested: boolean
  onSave: () => void
}

/** An editor for a field of an entry that isn't stored yet, which has one SAVE for all its fields. */
export function FormField({ form, field, isNameRequested, onSave, ...shape }: Props) {
  const { bikeId, replaced } = form
  const cellAtom = useMemo(
    () => atom((get) => formCell(get, { bikeId, replaced }, field)),
    [bikeId, replaced, field],
  )
  const { text, isChanged, state } = useAtomValue(cellAtom)
  const type = useSetAtom(typeFormAtom)
  const restore = useSetAtom(restoreFormAtom)
  const complete = useSetAtom(completeFormAtom)
  const isRequested = field === 'name' && isNameRequested && text.trim() === ''
  const model = {
    text,
    state: isRequested ? NAME_REQUIRED : state,
    isDirty: isChanged || state.status === 'invalid',
    type: (next: string) => type(form, field, next),
    clear: () => type(form, field, ''),
    save: onSave,
    restore: () => restore(form, field),
    ...(field === 'name' && { complete: (completion: Completion) => complete(form, completion) }),
  }
  return <FieldEditor {...shape} bikeId={bikeId} field={field} model={model} isNew />
}
