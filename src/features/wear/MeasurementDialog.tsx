import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, type FormEvent, useId, useState } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { todayAtom } from '../../lib/clock.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/writes.ts'
import type { Item } from '../maintenance'
import { type Measurement, READINGS } from './api.ts'
import { addMeasurementAtom, changeMeasurementAtom } from './atoms.ts'
import styles from './Wear.module.css'
import { formOf, type MeasurementForm, type Problems, readForm, UNITS } from './words.ts'

type Props = {
  item: Item
  /** Null: a new one. */
  measurement: Measurement | null
  latest: Measurement | undefined
  onClose: () => void
}

/** Adds or changes a measurement. What is refused is shown, and nothing typed is lost. */
export function MeasurementDialog({ item, measurement, latest, onClose }: Props) {
  const [formId, unitsId, readingId] = [useId(), useId(), useId()]
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addMeasurementAtom)
  const change = useSetAtom(changeMeasurementAtom)
  const readOnly = useReadOnly()
  const [form, setForm] = useState(() =>
    formOf(measurement ?? latest, item.type, today, measurement === null),
  )
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The same key for every attempt, so trying again never adds a second measurement.
  const [requestKey] = useState(newUuid)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || readOnly.disabled) return
    const { values, problems } = readForm(form, today)
    setProblems(problems)
    if (Object.keys(problems).length > 0) return
    setBusy(true)
    try {
      if (measurement === null) await add(item.part_id, values, requestKey)
      else await change(item.part_id, measurement, values)
      onClose()
    } catch (cause) {
      setFailure(`The measurement was not saved. ${messageFor(toAppError(cause))}`)
    } finally {
      setBusy(false)
    }
  }
  const text = (field: Exclude<keyof MeasurementForm, 'day'>) => ({
    value: form[field],
    problem: problems[field],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [field]: event.target.value }),
  })
  return (
    <Dialog
      title={measurement === null ? 'Add measurement' : 'Edit measurement'}
      lead={item.name}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="primary" aria-disabled={isBusy} {...readOnly}>
            Save
          </button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <DayField
          label="Day"
          value={form.day}
          picked={form.day}
          calendarAt={form.day}
          problem={problems.day ?? null}
          onChange={(day) => setForm({ ...form, day })}
        />
        <Field label="Value" inputMode="decimal" {...text('value')} />
        <Field label="Unit" list={unitsId} maxLength={40} {...text('unit')} />
        <datalist id={unitsId}>
          {UNITS.map((unit) => (
            <option key={unit} value={unit} />
          ))}
        </datalist>
        <Field label="Tool" maxLength={200} placeholder="Optional" {...text('tool')} />
        <div className={styles.field}>
          <label htmlFor={readingId}>Reading</label>
          <select
            id={readingId}
            value={form.reading}
            onChange={(event) => setForm({ ...form, reading: event.target.value })}
          >
            <option value="">Exact value</option>
            {READINGS.map((reading) => (
              <option key={reading} value={reading}>
                {`Gauge says ${reading}`}
              </option>
            ))}
          </select>
        </div>
        <Field
          label="Limit"
          inputMode="decimal"
          placeholder={
            form.unit.trim().toLowerCase() === 'chain %' ? '0.5, or 0.75 up to 10 speeds' : 'As on the part'
          }
          {...text('limit')}
        />
        <Field label="Note" maxLength={10_000} placeholder="Optional" {...text('note')} />
        <p role="alert" className={styles.problem}>
          {failure}
        </p>
      </form>
    </Dialog>
  )
}

type FieldProps = ComponentProps<'input'> & { label: string; problem?: string | undefined }

function Field({ label, problem, ...input }: FieldProps) {
  const [id, reasonId] = [useId(), useId()]
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        type="text"
        autoComplete="off"
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : reasonId}
      />
      {problem !== undefined && (
        <span id={reasonId} className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  )
}
