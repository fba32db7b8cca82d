import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'

import { CalendarShortcut } from '../../components/CalendarShortcut.tsx'
import { DateInput } from '../../components/DateInput.tsx'
import { parseDay } from '../../lib/days.ts'
import { MISSING } from '../../lib/formats.ts'
import { firstRideAtom } from '../usage'
import { ClearButton, EditorCell, type EditorModel, type InputProps } from './EditorCell.tsx'
import styles from './EditorCell.module.css'
import { type Field, FIELDS } from './fields.ts'

type Props = {
  bikeId: number
  field: Field
  model: EditorModel
  isNew?: boolean
  /** Shown before the editor. */
  lead?: ReactNode
}

/** The cell of a field, with the editor of its kind. */
export function FieldEditor({ bikeId, field, model, isNew = false, lead }: Props) {
  const { label, editor, clearLabel, placeholder } = FIELDS[field]
  return (
    <EditorCell label={label} model={model} kind={editor} hasSave={!isNew} lead={lead}>
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
  if (editor === 'select') return <Select options={options ?? []} model={model} input={input} />
  if (editor === 'date') {
    return (
      <DateInput
        {...input}
        placeholder={placeholder ?? MISSING}
        selected={parseDay(model.text)}
        onType={model.type}
        shortcuts={field === 'dateStarted' && <FirstRide bikeId={bikeId} />}
      />
    )
  }
  return (
    <input
      {...input}
      type="text"
      dir={editor === 'text' ? 'auto' : undefined}
      inputMode={editor === 'cost' ? 'decimal' : undefined}
      autoComplete="off"
      placeholder={placeholder}
      onChange={(event) => model.type(event.target.value)}
    />
  )
}

/** Parts that came with a bike start on its first ride. */
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
