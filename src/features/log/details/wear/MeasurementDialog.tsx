import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { MAX_LENGTH, READINGS } from '../../../../../supabase/functions/_shared/limits.ts'
import { nameKey } from '../../../../../supabase/functions/_shared/part-names.ts'
import { DateField, SelectField, TextField } from '../../../../components/fields.tsx'
import { FormDialog } from '../../../../components/FormDialog.tsx'
import { todayAtom } from '../../../../lib/clock.ts'
import { useHeldFormats } from '../../../../lib/formats.ts'
import type { Item } from '../../data/fields.ts'
import { useSave } from '../../../trash/use-save.ts'
import { useShown } from '../../../trash/use-shown.ts'
import styles from './Wear.module.css'
import { type Measurement, type MeasurementValues, valuesOf } from './api.ts'
import { addMeasurementAtom, changeMeasurementAtom } from './atoms.ts'
import { formOf, type MeasurementForm, type Problems, readForm, UNITS } from './measurements.ts'

type Props = {
  item: Item
  /** The part's usual unit, or null if it has none. */
  unit: string | null
  /** Null for a new measurement. */
  measurement: Measurement | null
  latest: Measurement | undefined
  onClose: () => void
}

const READING_OPTIONS = [
  { value: '', label: 'Exact value' },
  ...READINGS.map((reading) => ({ value: reading, label: `Gauge says ${reading}` })),
]

export function MeasurementDialog({ item, unit, measurement, latest, onClose }: Props) {
  const unitsId = useId()
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addMeasurementAtom)
  const change = useSetAtom(changeMeasurementAtom)
  const [form, setForm] = useState(() =>
    formOf(measurement ?? latest, unit, today, measurement === null, formats),
  )
  const [problems, setProblems] = useState<Problems>({})
  // Edits may change any field, but a new measurement usually needs only the value.
  const [isOpen, setOpen] = useState(measurement !== null)
  const save = useSave()
  const { shown, wantedOf, describe } = useShown<Partial<MeasurementValues>>(
    'wear_measurements',
    measurement ? valuesOf(measurement) : {},
  )

  const submit = async () => {
    const { values, problems } = readForm(form, today, formats)
    setProblems(problems)
    if (Object.keys(problems).length > 0) {
      setOpen(true)
      return ''
    }
    const wanted = wantedOf(values)
    return save(
      (key) =>
        measurement === null
          ? add(item.part_id, values, key)
          : change(measurement.id, { shown, wanted }, key),
      {
        subject: 'The measurement',
        done: 'saved',
        describe: (cause) => describe(cause, wanted),
      },
    )
  }
  const text = (field: keyof MeasurementForm) => ({
    value: form[field],
    problem: problems[field],
    onChange: (text: string) => setForm({ ...form, [field]: text }),
  })
  return (
    <FormDialog
      title={measurement === null ? 'Add measurement' : 'Edit measurement'}
      lead={item.name}
      label="Save"
      onSave={submit}
      onClose={onClose}
    >
      <TextField label="Value" inputMode="decimal" placeholder={form.unit} {...text('value')} />
      <details data-wide open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Day, unit, tool, limit and note</summary>
        <div className={styles.rest}>
          <DateField label="Day" {...text('day')} />
          <TextField
            label="Unit"
            list={unitsId}
            maxLength={MAX_LENGTH.wear_measurements.unit}
            {...text('unit')}
          />
          <datalist id={unitsId}>
            {UNITS.map((unit) => (
              <option key={unit} value={unit} />
            ))}
          </datalist>
          <TextField
            label="Tool"
            maxLength={MAX_LENGTH.wear_measurements.tool}
            placeholder="Optional"
            {...text('tool')}
          />
          <SelectField
            label="Reading"
            value={form.reading}
            options={READING_OPTIONS}
            onChange={(reading) => setForm({ ...form, reading })}
          />
          <TextField
            label="Limit"
            inputMode="decimal"
            placeholder={
              nameKey(form.unit) === nameKey('chain %') ? '0.5, or 0.75 up to 10 speeds' : 'As on the part'
            }
            {...text('limit')}
          />
          <TextField
            label="Note"
            maxLength={MAX_LENGTH.wear_measurements.note}
            placeholder="Optional"
            {...text('note')}
          />
        </div>
      </details>
    </FormDialog>
  )
}
