import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useMemo } from 'react'

import { CalendarShortcut } from '../../components/CalendarShortcut.tsx'
import { DateInput } from '../../components/DateInput.tsx'
import { MISSING, quote, useFormats } from '../../lib/formats.ts'
import { firstRideAtom } from '../items/usage.ts'
import {
  cellKey,
  cellOf,
  clearAtom,
  leaveAtom,
  restoreAtom,
  saveCellAtom,
  savingAtom,
  typeAtom,
} from '../items/cell.ts'
import { draftAtom } from '../items/drafts.ts'
import { type Field, FIELDS, hintOf, type Item } from '../items/fields.ts'
import styles from './EditorCell.module.css'
import { ClearButton, EditorCell, type EditorModel, type InputProps } from './EditorCell.tsx'

type Props = {
  bikeId: number
  field: Field
  model: EditorModel
  isNew?: boolean
  lead?: ReactNode
}

export function FieldEditor({ bikeId, field, model, isNew = false, lead }: Props) {
  const { label, editor, clearLabel, placeholder } = FIELDS[field]
  return (
    <EditorCell field={field} label={label} model={model} kind={editor} hasSave={!isNew} lead={lead}>
      {(input) => (
        <>
          <FieldInput
            bikeId={bikeId}
            field={field}
            model={model}
            input={input}
            placeholder={isNew ? placeholder : undefined}
          />
          {clearLabel !== undefined && <ClearButton model={model} label={clearLabel} input={input} />}
        </>
      )}
    </EditorCell>
  )
}

type InputOf = {
  bikeId: number
  field: Field
  model: EditorModel
  input: InputProps
  placeholder: string | undefined
}

function FieldInput({ bikeId, field, model, input, placeholder }: InputOf) {
  const { editor, options } = FIELDS[field]
  const formats = useFormats()
  if (editor === 'select') return <Select options={options ?? []} model={model} input={input} />
  if (editor === 'date') {
    return (
      <DateInput
        {...input}
        placeholder={placeholder ?? MISSING}
        selected={formats.parseDay(model.text)}
        onType={model.type}
        shortcuts={field === 'dateStarted' && <FirstRide bikeId={bikeId} />}
      />
    )
  }
  return (
    <input
      {...input}
      type="text"
      size={model.text.length || 1}
      dir={editor === 'text' ? 'auto' : undefined}
      inputMode={editor === 'cost' ? 'decimal' : undefined}
      autoComplete="off"
      placeholder={placeholder}
      onChange={(event) => model.type(event.target.value)}
    />
  )
}

/** Offers the first ride's day, because parts that came with the bike start on that day. */
function FirstRide({ bikeId }: { bikeId: number }) {
  const ride = useAtomValue(firstRideAtom(bikeId))
  const day = ride.state === 'ready' ? ride.data : null
  return day && <CalendarShortcut day={day}>First ride</CalendarShortcut>
}

type SelectProps = { options: readonly string[]; model: EditorModel; input: InputProps }

function Select({ options, model, input: { readOnly, ...input } }: SelectProps) {
  return (
    <select
      {...input}
      disabled={readOnly}
      className={styles.select}
      data-type={model.text}
      onChange={(event) => model.type(event.target.value)}
    >
      <option value="" />
      {options.map((option) => (
        <option key={option} data-type={option}>
          {option}
        </option>
      ))}
    </select>
  )
}

type CellProps = { item: Item; field: Field; lead?: ReactNode }

export function FieldCell({ item, field, lead }: CellProps) {
  return <FieldEditor bikeId={item.bikeId} field={field} model={useCell(item, field)} lead={lead} />
}

function useCell(item: Item, field: Field): EditorModel {
  const key = cellKey(item, field)
  const formats = useFormats()
  const draft = useAtomValue(draftAtom(key))
  const saving = useAtomValue(savingAtom(key))
  const type = useSetAtom(typeAtom)
  const clear = useSetAtom(clearAtom)
  const save = useSetAtom(saveCellAtom)
  const restore = useSetAtom(restoreAtom)
  const leave = useSetAtom(leaveAtom)

  return useMemo(() => {
    const { text, state, isSaving, changedTo } = cellOf(item, field, draft, saving, formats)
    return {
      text,
      state,
      isSaving,
      isDirty: isSaving || state.status !== 'clean',
      note: changedTo === null ? hintOf(state) : conflictNote(changedTo),
      isConflict: changedTo !== null,
      type: (next) => type(item, field, next),
      clear: () => clear(item, field),
      save: () => void save(item, field),
      restore: () => restore(item, field),
      leave: () => leave(item, field),
    }
  }, [item, field, draft, saving, formats, type, clear, save, restore, leave])
}

function conflictNote(changedTo: string): string {
  return changedTo === '' ? 'Cleared elsewhere.' : `Changed elsewhere to ${quote(changedTo)}.`
}
