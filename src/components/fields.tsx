import { type ComponentProps, type ReactNode, useId } from 'react'

import { isFinal } from '../lib/days.ts'
import { useFormats } from '../lib/formats.ts'
import { DateInput } from './DateInput.tsx'
import styles from './fields.module.css'

type FieldProps = {
  label: string
  problem?: string | undefined
  children: (control: Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>) => ReactNode
}

export function Field({ label, problem, children }: FieldProps) {
  const [id, reasonId] = [useId(), useId()]
  const isInvalid = problem !== undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': isInvalid, 'aria-describedby': isInvalid ? reasonId : undefined })}
      {isInvalid && (
        <span id={reasonId} className="problem">
          {problem}
        </span>
      )}
    </div>
  )
}

type TypedProps = Pick<FieldProps, 'label' | 'problem'> & { value: string; onChange: (text: string) => void }

type TextFieldProps = TypedProps & Omit<ComponentProps<'input'>, keyof TypedProps>

export function TextField({ label, problem, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          {...control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type LinesFieldProps = TypedProps & Omit<ComponentProps<'textarea'>, keyof TypedProps>

/** A field for text that may have several lines. */
export function LinesField({ label, problem, onChange, ...input }: LinesFieldProps) {
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <textarea rows={3} {...input} {...control} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

type DateFieldProps = TypedProps & Partial<Omit<ComponentProps<typeof DateInput>, keyof TypedProps>>

/** A date field whose calendar opens on click or ArrowDown. Writes a short date such as `11/22` out when it is left. */
export function DateField({ label, problem, value, onChange, ...input }: DateFieldProps) {
  const formats = useFormats()
  const day = formats.parseDay(value)
  const writeOut = () => {
    if (day !== null && !isFinal(value)) onChange(formats.day(day))
  }
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <DateInput
          selected={day}
          opensOnFocus={false}
          placeholder={formats.settings.dates}
          onBlur={writeOut}
          {...input}
          {...control}
          value={value}
          onType={onChange}
        />
      )}
    </Field>
  )
}

type SelectFieldProps<T> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

export function SelectField<T extends string | number>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange } = props
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(options[event.target.selectedIndex]!.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
