import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react'

import { parseDay } from '../lib/days.ts'
import { DateInput } from './DateInput.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { useReadOnly } from './read-only.ts'

type Props = {
  title: string
  lead?: ReactNode
  label: string
  /** Resolves to null if saved, or to an error message, which is empty if a field already shows the error. */
  onSave: () => Promise<string | null>
  isBlocked?: boolean
  /** Whether to ask before closing, because changes would be lost. */
  isChanged?: boolean
  remove?: { label: string; run: () => void }
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form. Closes after saving. If saving fails, shows the error and keeps the input. */
export function FormDialog(props: Props) {
  const { title, lead, label, onSave, isBlocked, isChanged = false, remove, onClose, children } = props
  const formId = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const readOnly = useReadOnly()
  const close = () => (isChanged ? setAsking(true) : onClose())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isBlocked || readOnly.disabled) return
    setBusy(true)
    setProblem('')
    const wrong = await onSave()
    setBusy(false)
    if (wrong === null) onClose()
    else setProblem(wrong)
    if (wrong === '') form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={close}
      actions={
        <>
          {remove && (
            <button
              type="button"
              className={styles.remove}
              {...readOnly}
              onClick={() => {
                onClose()
                remove.run()
              }}
            >
              {remove.label}
            </button>
          )}
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            form={formId}
            className="primary"
            aria-disabled={isBusy || isBlocked}
            {...readOnly}
          >
            {label}
          </button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {children}
        <p role="alert" className="problem">
          {problem}
        </p>
      </form>
      {isAsking && (
        <ConfirmDialog
          question="Discard unsaved changes?"
          confirmLabel="Discard"
          onConfirm={onClose}
          onCancel={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}

type WaitingProps = { title: string; lead: ReactNode; children: ReactNode; onClose: () => void }

/** Replaces a form dialog while its form can't be shown. `children` explains why. */
export function WaitingDialog({ title, lead, children, onClose }: WaitingProps) {
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      actions={
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <p role="status">{children}</p>
    </Dialog>
  )
}

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

type DateFieldProps = TypedProps & Partial<Omit<ComponentProps<typeof DateInput>, keyof TypedProps>>

/** A date field whose calendar opens on click or ArrowDown. */
export function DateField({ label, problem, value, onChange, ...input }: DateFieldProps) {
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <DateInput
          selected={parseDay(value)}
          opensOnFocus={false}
          placeholder="MM/DD/YYYY"
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

type ChoicesProps<T> = {
  legend: string
  options: readonly { value: T; label: string; note?: ReactNode }[]
  chosen: readonly T[]
  onToggle: (value: T) => void
}

export function Choices<T extends string | number>({ legend, options, chosen, onToggle }: ChoicesProps<T>) {
  if (options.length === 0) return null
  return (
    <fieldset className={styles.choices}>
      <legend className="note">{legend}</legend>
      {options.map(({ value, label, note }) => (
        <label key={value} className={styles.choice}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          <span>{label}</span>
          {note}
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the list without the value, or with it if it was missing. */
export const toggle = <T,>(values: readonly T[], value: T): readonly T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
