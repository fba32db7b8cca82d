import { DateInput } from '../../components/DateInput.tsx'
import { parseDay } from '../../lib/days.ts'
import { MISSING } from '../../lib/formats.ts'
import { ClearButton, EditorCell } from './EditorCell.tsx'
import styles from './EditorCell.module.css'
import type { EditorModel } from './editor-model.ts'
import { TYPES } from './fields.ts'

type Props = { model: EditorModel; hasSave?: boolean }

/** With `clearLabel`, the editor has a button of that name which clears its value. */
type ClearableProps = Props & { clearLabel?: string; placeholder?: string }

export function TypeEditor({ model, hasSave = true }: Props) {
  return (
    <EditorCell model={model} kind="type" hasSave={hasSave}>
      {({ readOnly, ...input }) => (
        <select
          {...input}
          disabled={readOnly}
          className={styles.type}
          data-type={model.text}
          onChange={(event) => model.type(event.target.value)}
        >
          <option value="" />
          {TYPES.map((type) => (
            <option key={type} data-type={type}>
              {type}
            </option>
          ))}
        </select>
      )}
    </EditorCell>
  )
}

export function TextEditor({ model, hasSave = true, clearLabel, placeholder }: ClearableProps) {
  return (
    <EditorCell model={model} kind="text" hasSave={hasSave}>
      {(input) => (
        <>
          <input
            {...input}
            type="text"
            dir="auto"
            autoComplete="off"
            placeholder={placeholder}
            onChange={(event) => model.type(event.target.value)}
          />
          {clearLabel !== undefined && <ClearButton model={model} label={clearLabel} input={input} />}
        </>
      )}
    </EditorCell>
  )
}

export function CostEditor({ model, hasSave = true }: Props) {
  return (
    <EditorCell model={model} kind="cost" hasSave={hasSave}>
      {(input) => (
        <input
          {...input}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => model.type(event.target.value)}
        />
      )}
    </EditorCell>
  )
}

export function DateEditor({ model, hasSave = true, clearLabel, placeholder = MISSING }: ClearableProps) {
  return (
    <EditorCell model={model} kind="date" hasSave={hasSave}>
      {(input) => (
        <>
          <DateInput
            {...input}
            placeholder={placeholder}
            selected={parseDay(model.text)}
            onType={model.type}
          />
          {clearLabel !== undefined && <ClearButton model={model} label={clearLabel} input={input} />}
        </>
      )}
    </EditorCell>
  )
}
