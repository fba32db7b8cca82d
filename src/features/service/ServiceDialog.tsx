import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { MAX_DISTANCE } from '../../../supabase/functions/_shared/limits.ts'
import { TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useForm } from '../../components/use-form.ts'
import { numberKind } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays } from '../../lib/days.ts'
import { useJournal } from '../journal/use-journal.ts'
import { snoozeAtom } from './actions.ts'
import { AddTaskDialog } from './AddTaskDialog.tsx'
import type { Line } from './api.ts'
import { DoneDialog } from './DoneDialog.tsx'
import { EditTaskDialog } from './EditTaskDialog.tsx'
import { EventDialog } from './EventDialog.tsx'
import { serviceDialogAtom } from './open-dialog.ts'
import { ForecastDialog } from './ForecastDialog.tsx'
import { stateMessage } from './task-messages.ts'

export default function ServiceDialog({ onClose: close }: { onClose: () => void }) {
  const dialog = useAtomValue(serviceDialogAtom)
  switch (dialog?.kind) {
    case 'add':
      return <AddTaskDialog owner={dialog.owner} onClose={close} />
    case 'edit':
      return <EditTaskDialog key={dialog.task.id} task={dialog.task} onClose={close} />
    case 'snooze':
      return <SnoozeDialog line={dialog.line} onClose={close} />
    case 'done':
      return <DoneDialog {...dialog} onClose={close} />
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

function SnoozeDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { task } = line
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const [span, setSpan] = useState<Span>('7')
  const isDistance = span === 'distance'
  const form = useForm({
    fields: { distance: isDistance ? numberKind({ max: MAX_DISTANCE, ...formats.distance }) : UNUSED },
    inputs: { distance: '50' },
    save: ({ distance }, { key }) =>
      snooze(line, isDistance ? { distance } : { until: addDays(today, Number(span)) }, key),
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
