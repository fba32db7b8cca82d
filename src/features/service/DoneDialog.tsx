import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'

import { MAX_LENGTH, MAX_WEAR, READINGS } from '../../../supabase/functions/_shared/limits.ts'
import { usualLimit } from '../../../supabase/functions/_shared/parts/wear-units.ts'
import { LinesField, SelectField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { type FieldsOf, useForm } from '../../components/use-form.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { amountKind, optional, pastDayKind, textKind } from '../../lib/field-kinds.ts'
import { choiceKind, numberKind } from '../../lib/forms.ts'
import { quote, shorten, upperFirst, useHeldFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { useJournal } from '../journal/use-journal.ts'
import { type Done, saveDoneAtom } from './actions.ts'
import { alsoDoneOf, tickedOf } from './also-done.ts'
import { AlsoDoneChoices } from './AlsoDoneChoices.tsx'
import type { Task } from './api.ts'
import { knownTasksAtom } from './atoms.ts'
import { DayChoice } from './DayChoice.tsx'
import type { ServiceDialogProps } from './open-dialog.ts'
import { formatPlace } from './task-messages.ts'

type Props = Extract<ServiceDialogProps, { kind: 'done' }> & { onClose: () => void }

const doneFields = (today: Day) => ({
  done_on: pastDayKind(today),
  cost: optional(amountKind),
  note: optional(textKind(MAX_LENGTH.service_events.note)),
  value: optional(numberKind({ max: MAX_WEAR, ...EXACT })),
  reading: choiceKind<string>(),
  tool: optional(textKind(MAX_LENGTH.wear_measurements.tool)),
  also_done: choiceKind<readonly number[]>(),
})

const same = (amount: number) => amount
const EXACT = { of: same, exact: same, toStored: same }

/** Asks when the tasks of a line were done, and what is known about it. */
export function DoneDialog({ line, focus, onClose }: Props) {
  const { task, others } = line
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const save = useSetAtom(saveDoneAtom)
  const alsoDone = alsoDoneOf(line, useAtomValue(knownTasksAtom))
  const form = useForm({
    fields: doneFields(today),
    inputs: {
      done_on: formats.day(today),
      reading: '',
      tool: task.measured?.tool ?? '',
      also_done: tickedOf(alsoDone),
    },
    save: (values, { key }) => save(line, doneOf(values), key),
    outcome: () => ({ subject: quote(task.name), done: 'marked done' }),
    journal: useJournal('service_events'),
  })
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) first.current?.querySelector<HTMLElement>(focus === 'day' ? 'input' : 'textarea')?.focus()
  }, [focus])
  const also = form.field('also_done')
  const count = 1 + others.length + also.value.length
  return (
    <FormDialog
      title={`${shorten(task.name)} done`}
      lead={formatPlace(line, bikeName)}
      label={count > 1 ? `Done on ${count}` : 'Done'}
      command="mark_done"
      form={form}
      onClose={onClose}
    >
      {task.measured && <MeasureFields measured={task.measured} field={form.field} />}
      <div data-wide ref={first} className="stack">
        <DayChoice day={form.values.done_on} field={form.field('done_on')} />
        <LinesField label="Note" maxLength={MAX_LENGTH.service_events.note} {...form.field('note')} />
      </div>
      <TextField label="Cost" inputMode="decimal" placeholder="Free" {...form.field('cost')} />
      <AlsoDoneChoices others={alsoDone} chosen={also.value} onChange={also.onChange} />
    </FormDialog>
  )
}

const READING_OPTIONS = [
  { value: '', label: 'Not measured' },
  ...READINGS.map((reading) => ({ value: reading, label: `Gauge says ${reading}` })),
]

type MeasureProps = FieldsOf<ReturnType<typeof doneFields>> & { measured: NonNullable<Task['measured']> }

/** Asks what a check measured, as the part was measured before. */
function MeasureFields({ measured, field }: MeasureProps) {
  const { unit, reading } = measured
  const limit = measured.limit ?? usualLimit(unit)
  const label = [upperFirst(unit), limit !== null && `limit ${limit}`].filter(Boolean).join(', ')
  return (
    <>
      {reading === null ? (
        <TextField label={label} inputMode="decimal" placeholder="Not measured" {...field('value')} />
      ) : (
        <SelectField label={label} options={READING_OPTIONS} {...field('reading')} />
      )}
      <TextField label="Tool" maxLength={MAX_LENGTH.wear_measurements.tool} {...field('tool')} />
    </>
  )
}

type Values = {
  done_on: NonNullable<Done['done_on']>
  cost: number | null
  note: string | null
  value: number | null
  reading: string
  tool: string | null
  also_done: readonly number[]
}

/** Returns what was filled in. The tool only matters with a measurement. */
function doneOf({ done_on, cost, note, value, reading, tool, also_done }: Values): Done {
  const isMeasured = value !== null || reading !== ''
  return {
    done_on,
    also_done,
    ...(cost !== null && { cost }),
    ...(note !== null && { note }),
    ...(value !== null && { value }),
    ...(reading !== '' && { reading: reading as NonNullable<Done['reading']> }),
    ...(isMeasured && tool !== null && { tool }),
  }
}
