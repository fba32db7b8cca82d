import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'

import { MAX_DISTANCE, MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices, toggle } from '../../components/Choices.tsx'
import { DateField, LinesField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useForm } from '../../components/use-form.ts'
import { choiceKind, numberKind } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, dayOf } from '../../lib/days.ts'
import { amountKind, optional, pastDayKind, textKind } from '../../lib/field-kinds.ts'
import { useJournal } from '../journal/use-journal.ts'
import { snoozeAtom } from './actions.ts'
import type { Task } from './api.ts'
import { serviceDialogAtom, type ServiceDialogProps } from './open-dialog.ts'
import { correctEventAtom, removeEventAtom } from './edits.ts'
import { ForecastDialog } from './ForecastDialog.tsx'
import styles from './TaskDialogs.module.css'
import { AddTaskDialog, EditTaskDialog } from './TaskDialogs.tsx'
import { stateMessage } from './task-messages.ts'

export default function ServiceDialog({ onClose: close }: { onClose: () => void }) {
  const dialog = useAtomValue(serviceDialogAtom)
  switch (dialog?.kind) {
    case 'add':
      return <AddTaskDialog owner={dialog.owner} onClose={close} />
    case 'edit':
      return <EditTaskDialog key={dialog.task.id} task={dialog.task} onClose={close} />
    case 'snooze':
      return <SnoozeDialog task={dialog.task} onClose={close} />
    case 'forecast':
      return <ForecastDialog task={dialog.task} onClose={close} />
    case 'event':
      return <EventDialog key={dialog.event.id} {...dialog} onClose={close} />
    case undefined:
      break
  }
  return null
}

const SPANS = [
  { value: '3', label: '3 days' },
  { value: '7', label: '1 week' },
  { value: '30', label: '1 month' },
] as const

type Span = (typeof SPANS)[number]['value'] | 'distance'

const UNUSED = { format: String, parse: () => ({ value: 0 }) }

function SnoozeDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const [span, setSpan] = useState<Span>('7')
  const isDistance = span === 'distance'
  const form = useForm({
    fields: { distance: isDistance ? numberKind({ max: MAX_DISTANCE, ...formats.distance }) : UNUSED },
    inputs: { distance: '50' },
    save: ({ distance }, { key }) =>
      snooze(task, isDistance ? { distance } : { until: addDays(today, Number(span)) }, key),
    outcome: () => ({ subject: quote(task.name), done: 'snoozed' }),
    journal: useJournal('service_tasks'),
  })
  return (
    <FormDialog
      title={`Snooze ${task.name}`}
      lead={stateMessage(task, formats)}
      label="Snooze"
      command="snooze"
      form={form}
      onClose={onClose}
    >
      <div data-wide>
        <SegmentedControl
          legend="Snooze for"
          options={[...SPANS, { value: 'distance', label: formats.name }]}
          value={span}
          onChange={setSpan}
        />
      </div>
      {isDistance && (
        <TextField label={`${formats.name} to snooze`} inputMode="numeric" {...form.field('distance')} />
      )}
    </FormDialog>
  )
}

const DAYS = [
  { label: 'Today', ago: 0 },
  { label: 'Yesterday', ago: 1 },
]

type EventProps = Extract<ServiceDialogProps, { kind: 'event' }> & { onClose: () => void }

function EventDialog({ event, others, isNew = false, onClose }: EventProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const correct = useSetAtom(correctEventAtom)
  const remove = useSetAtom(removeEventAtom)
  const form = useForm({
    fields: {
      // A task done in a time zone farther east may have tomorrow's date, which stays valid while it is unchanged.
      done_on: pastDayKind(today),
      cost: optional(amountKind),
      note: optional(textKind(MAX_LENGTH.service_events.note)),
      also_done: choiceKind<readonly number[]>(),
    },
    shown: { done_on: dayOf(event.done_at), cost: event.cost, note: event.note },
    inputs: { also_done: [] },
    save: ({ also_done }, { key, ...change }) =>
      correct(event, { ...change, also_done: [...also_done] }, key),
    outcome: () => ({ subject: quote(event.name), done: 'saved' }),
    journal: useJournal('service_events'),
  })
  const note = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isNew) note.current?.focus()
  }, [isNew])
  const alsoDone = form.field('also_done')
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      command="correct_event"
      remove={{ label: 'Remove', run: () => void remove(event) }}
      form={form}
      onClose={onClose}
    >
      <div data-wide className={styles.day}>
        <div role="group" aria-label="Recently" className="row">
          {DAYS.map(({ label, ago }) => {
            const day = addDays(today, -ago)
            return (
              <button
                key={label}
                type="button"
                className="pill"
                aria-pressed={form.values.done_on === day}
                onClick={() => form.set('done_on', formats.day(day))}
              >
                {label}
              </button>
            )
          })}
        </div>
        <DateField label="Day" {...form.field('done_on')} problem={form.problems.done_on} />
      </div>
      <div data-wide>
        <LinesField
          label="Note"
          ref={note}
          maxLength={MAX_LENGTH.service_events.note}
          {...form.field('note')}
        />
      </div>
      <TextField label="Cost" inputMode="decimal" placeholder="Free" {...form.field('cost')} />
      <Choices
        legend="Also done"
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={alsoDone.value}
        onToggle={(id) => alsoDone.onChange(toggle(alsoDone.value, id))}
      />
    </FormDialog>
  )
}
