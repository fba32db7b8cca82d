import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { MAX_DAYS, MAX_DISTANCE, MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices, toggle } from '../../components/Choices.tsx'
import { DateField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useForm } from '../../components/use-form.ts'
import { choiceKind, numberKind } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, dayOf } from '../../lib/days.ts'
import { amountKind, optional, pastDayKind, textKind } from '../../lib/field-kinds.ts'
import { useJournal } from '../trash/use-journal.ts'
import { snoozeAtom } from './actions.ts'
import type { Task } from './api.ts'
import { serviceDialogAtom, type ServiceDialogProps } from './dialogs.ts'
import { correctEventAtom, removeEventAtom } from './edits.ts'
import { ForecastDialog } from './ForecastDialog.tsx'
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

const UNUSED = { format: String, parse: () => ({ value: 0 }) }

function SnoozeDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const [by, setBy] = useState<'days' | 'distance'>('days')
  const form = useForm({
    fields: {
      days: by === 'days' ? numberKind({ max: MAX_DAYS, isWhole: true }) : UNUSED,
      distance: by === 'distance' ? numberKind({ max: MAX_DISTANCE, ...formats.distance }) : UNUSED,
    },
    inputs: { days: '7', distance: '50' },
    save: ({ days, distance }, { key }) =>
      snooze(task, by === 'days' ? { until: addDays(today, days) } : { distance }, key),
    outcome: () => ({ subject: quote(task.name), done: 'snoozed' }),
    journal: useJournal('service_tasks'),
  })
  const labels = { days: 'Days', distance: formats.name }
  return (
    <FormDialog
      title={`Snooze ${task.name}`}
      lead={stateMessage(task, formats)}
      label="Snooze"
      form={form}
      onClose={onClose}
    >
      <SegmentedControl
        legend="Snooze by"
        options={[
          { value: 'days', label: labels.days },
          { value: 'distance', label: labels.distance },
        ]}
        value={by}
        onChange={setBy}
      />
      <TextField label={`${labels[by]} to snooze`} inputMode="numeric" {...form.field(by)} />
    </FormDialog>
  )
}

type EventProps = Extract<ServiceDialogProps, { kind: 'event' }> & { onClose: () => void }

function EventDialog({ event, others, onClose }: EventProps) {
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
  const alsoDone = form.field('also_done')
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      remove={{ label: 'Remove', run: () => void remove(event) }}
      form={form}
      onClose={onClose}
    >
      <DateField label="Day" {...form.field('done_on')} problem={form.problems.done_on} />
      <TextField label="Cost" inputMode="decimal" placeholder="Free" {...form.field('cost')} />
      <TextField label="Note" maxLength={MAX_LENGTH.service_events.note} {...form.field('note')} />
      <Choices
        legend="Also done"
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={alsoDone.value}
        onToggle={(id) => alsoDone.onChange(toggle(alsoDone.value, id))}
      />
    </FormDialog>
  )
}
