import { useRef } from 'react'

import { useFormats } from '../../lib/formats.ts'
import { type Completion, filledBy, type Texts } from '../entries/completions.ts'
import type { EntryValues } from '../entries/entry-form.ts'
import { type Field, FIELDS } from '../entries/fields.ts'
import { FieldEditor, type Shape } from './FieldEditor.tsx'

/** The parts of an entry's form that its editors need. */
export type FieldsForm = {
  initial: Record<Field, string>
  inputs: Record<Field, string>
  values: EntryValues
  problems: Partial<Record<Field, string>>
  isTried: boolean
  set(this: void, field: Field, text: string): void
}

type Props = Shape & { form: FieldsForm; bikeId: number; field: Field; onSave: () => void }

/** An editor for a field of an entry that isn't stored yet, which has one SAVE for all its fields. */
export function FormField({ form, bikeId, field, onSave, ...shape }: Props) {
  const { initial, inputs, values, problems, isTried, set } = form
  const formats = useFormats()
  const text = inputs[field]
  const filled = useRef<Texts>({})
  const value = values[field]
  const hint = value === undefined ? null : (FIELDS[field].hint?.(text, value, formats) ?? null)
  // A name that isn't entered yet is only a problem once the owner saves.
  const isShown = isTried || field !== 'name' || text.trim() !== ''
  const message = isShown ? problems[field] : undefined

  const complete = (completion: Completion) => {
    filled.current = filledBy(completion, { inputs, initial, former: filled.current }, formats)
    for (const [name, text] of Object.entries(filled.current)) set(name as Field, text)
  }
  const model = {
    text,
    state:
      message === undefined
        ? ({ status: 'clean', hint } as const)
        : ({ status: 'invalid', message } as const),
    isDirty: text !== initial[field] || message !== undefined,
    type: (next: string) => set(field, next),
    clear: () => set(field, ''),
    save: onSave,
    restore: () => set(field, initial[field]),
    ...(field === 'name' && { complete }),
  }
  return <FieldEditor {...shape} bikeId={bikeId} field={field} model={model} isNew />
}
