import { useAtomValue, useSetAtom } from 'jotai'

import { kindPlural } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import { DateField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useForm } from '../../components/use-form.ts'
import { todayAtom } from '../../lib/clock.ts'
import { optional, pastDayKind } from '../../lib/field-kinds.ts'
import { choiceKind } from '../../lib/forms.ts'
import { HeldFormats, quote, useHeldFormats } from '../../lib/formats.ts'
import { formDraftsAtom } from '../entries/form-drafts.ts'
import { useJournal } from '../journal/use-journal.ts'
import { commonTasksOf } from './common-tasks.ts'
import { addTaskAtom, type CountFrom, newTaskOf } from './edits.ts'
import { checkTask, newTask, taskFields } from './form.ts'
import { ForParts } from './ForParts.tsx'
import type { TaskOwner } from './open-dialog.ts'
import { chosenOf, siblingsAtom } from './sibling-parts.ts'
import styles from './TaskDialogs.module.css'
import { TaskFields } from './TaskFields.tsx'
import { TaskPreview } from './TaskPreview.tsx'

const startsOf = (owner: TaskOwner) =>
  [
    { value: 'today', label: 'Today' },
    { value: 'installed', label: 'part_id' in owner ? 'When installed' : 'First ride' },
  ] as const

const REPEATS = [
  { value: 'every', label: 'Every' },
  { value: 'once', label: 'Once' },
] as const

function Repeats({ once, onChange }: { once: boolean; onChange: (once: boolean) => void }) {
  return (
    <SegmentedControl
      legend="Repeats"
      options={REPEATS}
      value={once ? 'once' : 'every'}
      onChange={(repeats) => onChange(repeats === 'once')}
    />
  )
}

type Props = { owner: TaskOwner; onClose: () => void }

export function AddTaskDialog(props: Props) {
  return (
    <HeldFormats value={useHeldFormats()}>
      <AddTaskForm {...props} />
    </HeldFormats>
  )
}

function AddTaskForm({ owner, onClose }: Props) {
  const { form, siblings, parts, task, setOnce, close } = useAddForm(owner, onClose)
  const { values, inputs } = form
  const { last_done = null, countFrom = 'today', once = false } = values
  const start = { last_done, countFrom, parts }
  const { kind = null } = siblings[0] ?? {}
  const common = commonTasksOf(owner.part)
  return (
    <FormDialog
      title="Add service task"
      lead={owner.name}
      label={parts.length > 1 ? `Save ${parts.length} tasks` : 'Save task'}
      command="add_task"
      form={form}
      onClose={close}
    >
      {common.length > 0 && (
        <div data-wide className={styles.common} role="group" aria-label="Suggestions">
          {common.map((task) => (
            <button key={task.name} type="button" className="pill" onClick={() => form.fillIn(newTask(task))}>
              {task.name}
            </button>
          ))}
        </div>
      )}
      <TaskFields
        field={form.field}
        bikeId={owner.bikeId}
        once={once}
        repeats={<Repeats once={once} onChange={setOnce} />}
        parts={
          'part_id' in owner && (
            <ForParts
              partId={owner.part_id}
              siblings={siblings}
              chosen={parts}
              problem={form.field('parts').problem}
              onChange={form.field('parts').onChange}
            />
          )
        }
      />
      {!once && (
        <>
          <DateField label="Last done" placeholder="Not yet" {...form.field('last_done')} />
          <div className={styles.start}>
            <span aria-hidden className="note">
              Count from
            </span>
            <SegmentedControl
              legend="Count from"
              options={startsOf(owner)}
              value={inputs.last_done.trim() === '' ? inputs.countFrom : null}
              onChange={(from) => {
                form.set('last_done', '')
                form.set('countFrom', from)
              }}
            />
          </div>
        </>
      )}
      <TaskPreview
        task={task && newTaskOf(owner, task, start)}
        parts={kind !== null && parts.length > 1 ? `${parts.length} ${kindPlural(kind)}` : null}
      />
    </FormDialog>
  )
}

function useAddForm(owner: TaskOwner, onClose: () => void) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addTaskAtom)
  const partId = 'part_id' in owner ? owner.part_id : 0
  const siblings = useAtomValue(siblingsAtom(partId))
  const place = partId !== 0 ? `part-${partId}` : `bike-${owner.bikeId}`
  const form = useForm({
    fields: {
      ...taskFields(formats, today),
      once: choiceKind<boolean>(),
      last_done: optional(pastDayKind(today)),
      countFrom: choiceKind<CountFrom>(),
      parts: choiceKind<readonly number[]>(),
    },
    inputs: {
      kind: 'service',
      outdoor_only: false,
      once: false,
      with_task: 0,
      countFrom: 'today',
      parts: partId !== 0 ? [partId] : [],
    },
    check: (values) => ({
      ...checkTask(values),
      ...(partId !== 0 && values.parts?.length === 0 && { parts: 'Choose at least one part.' }),
    }),
    save: ({ last_done, countFrom, parts, ...task }, { key }) =>
      add(owner, task, { last_done, countFrom, parts: chosenOf(siblings, parts), siblings }, key),
    outcome: ({ name }) => ({ subject: quote(name), done: 'added' }),
    journal: useJournal('service_tasks'),
    // A limit or day means something else in other formats.
    drafts: formDraftsAtom(`task/${place}/${formats.name}/${formats.settings.dates}`),
  })
  const { last_done: _day, countFrom: _from, parts: _parts, ...task } = form.values
  const isComplete = Object.keys(form.problems).every((field) => field === 'name')
  return {
    form,
    siblings,
    parts: chosenOf(siblings, form.inputs.parts),
    /** Null while it is incomplete. */
    task: isComplete ? { ...newTask(task), name: task.name ?? 'Task' } : null,
    setOnce: (once: boolean) => {
      form.set('once', once)
      // What isn't asked for any more has no value.
      for (const field of ['every_days', 'last_done', 'due_on'] as const) form.set(field, '')
      form.set('with_task', 0)
    },
    close: () => {
      form.discard()
      onClose()
    },
  }
}
