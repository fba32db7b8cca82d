import { useAtomValue } from 'jotai'

import { CalendarShortcut } from '../../../components/CalendarShortcut.tsx'
import { DateInput, focusWithoutCalendar } from '../../../components/DateInput.tsx'
import { MISSING, useFormats } from '../../../lib/formats.ts'
import { type Field, FIELDS } from '../data/fields.ts'
import { firstRideAtom } from '../data/usage.ts'
import styles from './FieldEditor.module.css'

type Input = {
  id: string
  'aria-label': string | undefined
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  readOnly: boolean
  value: string
}

type Props = {
  bikeId: number
  field: Field
  isNew: boolean
  input: Input
  onType: (text: string) => void
}

export function FieldInput({ bikeId, field, isNew, input, onType }: Props) {
  const { editor, options = [], ...definition } = FIELDS[field]
  const placeholder = isNew ? definition.placeholder : undefined
  const formats = useFormats()
  if (editor === 'select') {
    const { readOnly, ...select } = input
    return (
      <select
        {...select}
        disabled={readOnly}
        className={styles.select}
        data-type={input.value}
        onChange={(event) => onType(event.target.value)}
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
  if (editor === 'date') {
    return (
      <DateInput
        {...input}
        placeholder={placeholder ?? MISSING}
        selected={formats.parseDay(input.value)}
        onType={onType}
        shortcuts={field === 'dateStarted' && <FirstRide bikeId={bikeId} />}
      />
    )
  }
  return (
    <input
      {...input}
      type="text"
      size={input.value.length || 1}
      dir={editor === 'text' ? 'auto' : undefined}
      inputMode={editor === 'cost' ? 'decimal' : undefined}
      autoComplete="off"
      placeholder={placeholder}
      onChange={(event) => onType(event.target.value)}
    />
  )
}

/** Offers the first ride's day, because parts that came with the bike start on that day. */
function FirstRide({ bikeId }: { bikeId: number }) {
  const ride = useAtomValue(firstRideAtom(bikeId))
  const day = ride.state === 'ready' ? ride.data : null
  return day && <CalendarShortcut day={day}>First ride</CalendarShortcut>
}

type ClearProps = { label: string; input: Input; onClear: () => void }

/** Renders nothing if there is nothing to clear. A required field that was emptied by typing can still be cleared. */
export function ClearButton({ label, input, onClear }: ClearProps) {
  const isInvalid = input['aria-invalid']
  if (input.value === '' && !isInvalid) return null
  return (
    <button
      type="button"
      // Tab skips this button, unless only this button can empty the field.
      tabIndex={isInvalid ? 0 : -1}
      className={styles.clear}
      aria-label={label}
      disabled={input.readOnly}
      aria-describedby={input['aria-describedby']}
      onClick={(event) => {
        focusEditor(event.currentTarget.parentElement)
        onClear()
      }}
    >
      ×
    </button>
  )
}

/** Focuses the editor before the focused button disappears. */
export function focusEditor(container: HTMLElement | null): void {
  const editor = container?.querySelector<HTMLElement>('input, select')
  if (editor) focusWithoutCalendar(editor)
}
