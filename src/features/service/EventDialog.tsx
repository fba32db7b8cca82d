import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'

import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { LinesField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useForm } from '../../components/use-form.ts'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { amountKind, optional, pastDayKind, textKind } from '../../lib/field-kinds.ts'
import { choiceKind } from '../../lib/forms.ts'
import { quote } from '../../lib/formats.ts'
import { useJournal } from '../journal/use-journal.ts'
import { AlsoDoneChoices } from './AlsoDoneChoices.tsx'
import { DayChoice } from './DayChoice.tsx'
import { correctEventAtom, removeEventAtom } from './edits.ts'
import { GroupChoice } from './GroupChoice.tsx'
import type { ServiceDialogProps } from './open-dialog.ts'

type Props = Extract<ServiceDialogProps, { kind: 'event' }> & { onClose: () => void }

/** Corrects when a task was done, and what is known about it. */
export function EventDialog({ event, others, together, isNew = false, onClose }: Props) {
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
      all: choiceKind<boolean>(),
    },
    shown: { done_on: dayOf(event.done_at), cost: event.cost, note: event.note },
    inputs: { also_done: [], all: isNew },
    save: ({ also_done, all }, { key, ...change }) =>
      correct(event, { ...change, also_done: [...also_done], all: together > 1 && all }, key),
    outcome: () => ({ subject: quote(event.name), done: 'saved' }),
    journal: useJournal('service_events'),
  })
  const note = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isNew) note.current?.focus()
  }, [isNew])
  const [alsoDone, all] = [form.field('also_done'), form.field('all')]
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      command="correct_event"
      remove={{ label: 'Remove', run: () => void remove(event, together > 1 && all.value) }}
      form={form}
      onClose={onClose}
    >
      <GroupChoice count={together} value={all.value} onChange={all.onChange} />
      <DayChoice day={form.values.done_on} field={form.field('done_on')} />
      <div data-wide>
        <LinesField
          label="Note"
          ref={note}
          maxLength={MAX_LENGTH.service_events.note}
          {...form.field('note')}
        />
      </div>
      <TextField label="Cost" inputMode="decimal" placeholder="Free" {...form.field('cost')} />
      <AlsoDoneChoices others={others} chosen={alsoDone.value} onChange={alsoDone.onChange} />
    </FormDialog>
  )
}
