import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { Choices, FormDialog, TextField, toggle } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, type Day, dayOf } from '../../lib/days.ts'
import { correctEventAtom, removeEventAtom, save, snoozeAtom } from './actions.ts'
import type { Task } from './api.ts'
import { serviceDialogAtom, type ServiceDialogProps } from './dialogs.ts'
import { readCost } from './form.ts'
import { ForecastDialog } from './ForecastDialog.tsx'
import { AddTaskDialog, EditTaskDialog } from './TaskDialogs.tsx'
import { stateWords } from './task-messages.ts'

/** The dialog that a task or a toast opened. */
export default function ServiceDialog() {
  const [dialog, setDialog] = useAtom(serviceDialogAtom)
  const close = () => setDialog(null)
  switch (dialog?.kind) {
    case 'add':
      return <AddTaskDialog owner={dialog.owner} gearId={dialog.gearId} onClose={close} />
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
  const units = useAtomValue(unitsAtom)
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const [by, setBy] = useState<'days' | 'distance'>('days')
  const [amounts, setAmounts] = useState({ days: '7', distance: '50' })
  const [problem, setProblem] = useState<string>()
  const label = by === 'days' ? 'Days' : units.name

  const submit = async () => {
    const amount = Number(amounts[by])
    const most = by === 'days' ? 3650 : 100_000
    if (!(amount > 0 && amount <= most) || (by === 'days' && !Number.isInteger(amount))) {
      setProblem(`Enter a number from 1 to ${most.toLocaleString('en-US')}.`)
      return ''
    }
    const span =
      by === 'days' ? { until: addDays(today, amount) } : { distance: units.distance.toStored(amount) }
    return save(snooze(task, span))
  }
  return (
    <FormDialog
      title={`Snooze ${task.name}`}
      lead={stateWords(task, units)}
      label="Snooze"
      onSave={submit}
      onClose={onClose}
    >
      <SegmentedControl
        legend="Snooze by"
        options={[
          { value: 'days', label: 'Days' },
          { value: 'distance', label: units.name },
        ]}
        value={by}
        onChange={setBy}
      />
      <TextField
        label={`${label} to snooze`}
        inputMode="numeric"
        value={amounts[by]}
        problem={problem}
        onChange={(event) => setAmounts({ ...amounts, [by]: event.target.value })}
      />
    </FormDialog>
  )
}

type EventProps = Extract<ServiceDialogProps, { kind: 'event' }> & { onClose: () => void }

function EventDialog({ event, gearId, others, onClose }: EventProps) {
  const today = useAtomValue(todayAtom)
  const correct = useSetAtom(correctEventAtom)
  const remove = useSetAtom(removeEventAtom)
  const [day, setDay] = useState<Day>(dayOf(event.done_at))
  const [cost, setCost] = useState(event.cost === null ? '' : String(event.cost))
  const [note, setNote] = useState(event.note ?? '')
  const [also, setAlso] = useState<readonly number[]>([])
  // What attempts with a lost response may have marked done.
  const [sent, setSent] = useState<readonly number[]>([])
  const [costProblem, setCostProblem] = useState<string>()
  // A task that was done further east may have been done tomorrow.
  const isFuture = day > today && day !== dayOf(event.done_at)

  const submit = async () => {
    const dollars = readCost(cost)
    setCostProblem(dollars === undefined ? 'Enter a cost in dollars.' : undefined)
    if (dollars === undefined || isFuture) return ''
    setSent([...sent, ...also])
    const tasks = { also_done: [...also], not_done: sent.filter((id) => !also.includes(id)) }
    return save(correct(event, gearId, { done_on: day, cost: dollars, note, ...tasks }))
  }
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      remove={{ label: 'Remove', run: () => void remove(event, gearId) }}
      onSave={submit}
      onClose={onClose}
    >
      <DayField
        label="Day"
        value={day}
        picked={day}
        calendarAt={day}
        problem={isFuture ? 'Enter today or an earlier date.' : null}
        onChange={setDay}
      />
      <TextField
        label="Cost"
        inputMode="decimal"
        placeholder="Free"
        value={cost}
        problem={costProblem}
        onChange={(change) => setCost(change.target.value)}
      />
      <TextField
        label="Note"
        maxLength={10_000}
        value={note}
        onChange={(change) => setNote(change.target.value)}
      />
      <Choices
        legend="Also done"
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={also}
        onToggle={(id) => setAlso(toggle(also, id))}
      />
    </FormDialog>
  )
}
