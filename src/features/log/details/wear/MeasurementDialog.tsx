import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { MAX_LENGTH, READINGS } from '../../../../../supabase/functions/_shared/limits.ts'
import { nameKey } from '../../../../../supabase/functions/_shared/parts/part-names.ts'
import { usualLimit } from '../../../../../supabase/functions/_shared/parts/wear-units.ts'
import { DateField, SelectField, TextField } from '../../../../components/fields.tsx'
import { FormDialog } from '../../../../components/FormDialog.tsx'
import { useForm } from '../../../../components/use-form.ts'
import { todayAtom } from '../../../../lib/clock.ts'
import { choiceKind } from '../../../../lib/forms.ts'
import { useHeldFormats } from '../../../../lib/formats.ts'
import type { Item } from '../../../entries/fields.ts'
import { useJournal } from '../../../journal/use-journal.ts'
import { AlsoDoneChoices } from '../../../service/AlsoDoneChoices.tsx'
import { tasksOfPartAtom } from '../../../service/atoms.ts'
import styles from './Wear.module.css'
import { type Measurement, valuesOf } from './api.ts'
import { addMeasurementAtom, changeMeasurementAtom } from './atoms.ts'
import { checkMeasurement, measurementFields, newInputs, UNITS } from './measurements.ts'

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
  // Edits may change any field, but a new measurement usually needs only the value.
  const [isOpen, setOpen] = useState(measurement !== null)
  const checks = useAtomValue(tasksOfPartAtom(item.part_id))
    .filter(({ kind, state }) => measurement === null && kind === 'check' && state !== 'paused')
    .map((task) => ({ task, why: 'part' as const }))
  const allChecks = checks.map(({ task }) => task.id)
  const form = useForm({
    fields: { ...measurementFields(today), also_done: choiceKind<readonly number[] | null>() },
    shown: measurement ? valuesOf(measurement) : undefined,
    // Null: all checks, which may still load.
    inputs: { ...newInputs(latest, unit, formats.day(today)), also_done: null },
    check: checkMeasurement,
    save: ({ also_done, ...values }, { key, ...edit }) =>
      measurement === null
        ? add(item.part_id, values, also_done ?? allChecks, key)
        : change(measurement.id, edit, key),
    outcome: () => ({ subject: 'The measurement', done: 'saved' }),
    journal: useJournal('wear_measurements'),
  })
  const { field, inputs } = form
  const alsoDone = field('also_done')
  const limit = inputs.limit.trim() || usualLimit(inputs.unit)
  const hasProblem = form.isTried && Object.keys(form.problems).length > 0
  return (
    <FormDialog
      title={measurement === null ? 'Add measurement' : 'Edit measurement'}
      lead={item.name}
      label="Save"
      command={measurement === null ? 'add_measurement' : 'edit_row'}
      form={form}
      onClose={onClose}
    >
      <TextField label="Value" inputMode="decimal" {...field('value')} />
      <p className="note">{[inputs.unit.trim(), limit && `limit ${limit}`].filter(Boolean).join(', ')}</p>
      <details data-wide open={isOpen || hasProblem} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Day, unit, tool, limit and note</summary>
        <div className={styles.rest}>
          <DateField label="Day" {...field('measured_on')} />
          <TextField
            label="Unit"
            list={unitsId}
            maxLength={MAX_LENGTH.wear_measurements.unit}
            {...field('unit')}
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
            {...field('tool')}
          />
          <SelectField label="Reading" options={READING_OPTIONS} {...field('reading')} />
          <TextField
            label="Limit"
            inputMode="decimal"
            placeholder={
              nameKey(inputs.unit) === nameKey('chain %') ? '0.5, or 0.75 up to 10 speeds' : 'As on the part'
            }
            {...field('limit')}
          />
          <TextField
            label="Note"
            maxLength={MAX_LENGTH.wear_measurements.note}
            placeholder="Optional"
            {...field('note')}
          />
        </div>
      </details>
      <AlsoDoneChoices others={checks} chosen={alsoDone.value ?? allChecks} onChange={alsoDone.onChange} />
    </FormDialog>
  )
}
