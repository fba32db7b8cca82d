import { atom, useAtomValue } from 'jotai'
import { type ChangeEvent, type ComponentProps, useState } from 'react'

import { CalendarShortcut } from '../../components/CalendarShortcut.tsx'
import { Combobox } from '../../components/Combobox.tsx'
import { DateInput, focusWithoutCalendar } from '../../components/DateInput.tsx'
import { usePaused } from '../../components/use-pause.ts'
import { MISSING, useFormats } from '../../lib/formats.ts'
import { completeAtom, type Completion } from '../entries/completions.ts'
import { type Field, FIELDS } from '../entries/fields.ts'
import { usageAtom } from '../entries/usage.ts'
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
  /** Present if the text completes from the log. */
  onComplete?: ((completion: Completion) => void) | undefined
}

export function FieldInput({ bikeId, field, isNew, input, onType, onComplete }: Props) {
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
  const text = {
    ...input,
    size: input.value.length || 1,
    dir: editor === 'text' ? 'auto' : undefined,
    placeholder,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onType(event.target.value),
  }
  if (onComplete) return <CompletedInput text={text} onComplete={onComplete} />
  return (
    <input {...text} type="text" inputMode={editor === 'cost' ? 'decimal' : undefined} autoComplete="off" />
  )
}

type CompletedProps = {
  text: Input & ComponentProps<'input'>
  onComplete: (completion: Completion) => void
}

const nothingAtom = atom(() => () => [])

/** Completes a name from the log of all bikes, which is only read while the owner types. */
function CompletedInput({ text, onComplete }: CompletedProps) {
  const [isTyping, setTyping] = useState(false)
  const isReading = usePaused(isTyping ? text.value : '').trim() !== '' && isTyping
  const completions: Completion[] = useAtomValue(isReading ? completeAtom : nothingAtom)(text.value)
  const formats = useFormats()
  return (
    <Combobox
      {...text}
      options={completions.map(({ name, type, cost }) => ({
        key: name,
        label: name,
        note: [type, cost !== 0 && formats.money(cost)].filter(Boolean).join(' · '),
      }))}
      onChange={(event) => {
        setTyping(true)
        text.onChange?.(event)
      }}
      onKeyDown={({ key }) => key === 'Enter' && setTyping(false)}
      onBlur={() => setTyping(false)}
      onChoose={(name) => onComplete(completions.find((one) => one.name === name)!)}
    />
  )
}

/** Offers the first ride's day, because parts that came with the bike start on that day. */
function FirstRide({ bikeId }: { bikeId: number }) {
  const usage = useAtomValue(usageAtom(bikeId))
  const day = usage.state === 'ready' && usage.data.firstRide
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
