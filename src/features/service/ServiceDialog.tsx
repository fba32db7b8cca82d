import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { MAX_DAYS, MAX_DISTANCE, MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices, toggle } from '../../components/Choices.tsx'
import { DateField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, dayOf } from '../../lib/days.ts'
import { pastDayKind, problemOf, readText } from '../../lib/field-kinds.ts'
import { numberKind } from '../../lib/forms.ts'
import { useSave } from '../trash/use-save.ts'
import { useShown } from '../trash/use-shown.ts'
import { snoozeAtom } from './actions.ts'
import type { Task } from './api.ts'
import { serviceDialogAtom, type ServiceDialogProps } from './dialogs.ts'
import { correctEventAtom, type EventValues, removeEventAtom } from './edits.ts'
import { readCost } from './form.ts'
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

function SnoozeDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const save = useSave()
  const [by, setBy] = useState<'days' | 'distance'>('days')
  const [amounts, setAmounts] = useState({ days: '7', distance: '50' })
  const [problem, setProblem] = useState<string>()
  const label = by === 'days' ? 'Days' : formats.name

  const submit = async () => {
    const isWhole = by === 'days'
    const amount = numberKind({
      max: isWhole ? MAX_DAYS : MAX_DISTANCE,
      isWhole,
      ...(isWhole ? {} : formats.distance),
    }).parse(amounts[by], formats)
    setProblem(problemOf(amount))
    if ('message' in amount) return ''
    const { value } = amount
    const end = by === 'days' ? { until: addDays(today, value) } : { distance: value }
    return save((key) => snooze(task, end, key), { subject: quote(task.name), done: 'snoozed' })
  }
  return (
    <FormDialog
      title={`Snooze ${task.name}`}
      lead={stateMessage(task, formats)}
      label="Snooze"
      onSave={submit}
      onClose={onClose}
    >
      <SegmentedControl
        legend="Snooze by"
        options={[
          { value: 'days', label: 'Days' },
          { value: 'distance', label: formats.name },
        ]}
        value={by}
        onChange={setBy}
      />
      <TextField
        label={`${label} to snooze`}
        inputMode="numeric"
        value={amounts[by]}
        problem={problem}
        onChange={(text) => setAmounts({ ...amounts, [by]: text })}
      />
    </FormDialog>
  )
}

type EventProps = Extract<ServiceDialogProps, { kind: 'event' }> & { onClose: () => void }

function EventDialog({ event, others, onClose }: EventProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const correct = useSetAtom(correctEventAtom)
  const remove = useSetAtom(removeEventAtom)
  const { shown, wantedOf, describe } = useShown<EventValues>('service_events', {
    done_on: dayOf(event.done_at),
    cost: event.cost,
    note: event.note,
  })
  const [day, setDay] = useState(formats.day(dayOf(event.done_at)))
  const [cost, setCost] = useState(event.cost === null ? '' : String(event.cost))
  const [note, setNote] = useState(event.note ?? '')
  const [also, setAlso] = useState<readonly number[]>([])
  const save = useSave()
  const [costProblem, setCostProblem] = useState<string>()
  // A task done in a time zone farther east may have tomorrow's date, which must stay valid.
  const done = readText(pastDayKind(today), day, formats, dayOf(shown.done_on))

  const submit = async () => {
    const amount = readCost(cost, formats, shown.cost)
    setCostProblem(problemOf(amount))
    if ('message' in amount || 'message' in done) return ''
    const wanted = wantedOf({ done_on: done.value, cost: amount.value, note: note.trim() || null })
    return save((key) => correct(event, { shown, wanted, also_done: [...also] }, key), {
      subject: quote(event.name),
      done: 'saved',
      describe: (cause) => describe(cause, wanted),
    })
  }
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      remove={{ label: 'Remove', run: () => void remove(event) }}
      onSave={submit}
      onClose={onClose}
    >
      <DateField label="Day" value={day} problem={problemOf(done)} onChange={setDay} />
      <TextField
        label="Cost"
        inputMode="decimal"
        placeholder="Free"
        value={cost}
        problem={costProblem}
        onChange={setCost}
      />
      <TextField label="Note" maxLength={MAX_LENGTH.service_events.note} value={note} onChange={setNote} />
      <Choices
        legend="Also done"
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={also}
        onToggle={(id) => setAlso(toggle(also, id))}
      />
    </FormDialog>
  )
}
