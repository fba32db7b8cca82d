import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { AXES, AXIS_KEYS, columnsByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices } from '../../components/Choices.tsx'
import { DateField, SelectField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { type FieldsOf, useForm } from '../../components/use-form.ts'
import { todayAtom } from '../../lib/clock.ts'
import { optional, pastDayKind } from '../../lib/field-kinds.ts'
import { choiceKind } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { useJournal } from '../journal/use-journal.ts'
import { addTaskAtom, type CountFrom, editTaskAtom, newTaskOf, removeTaskAtom } from './edits.ts'
import type { Task } from './api.ts'
import { knownTasksAtom } from './atoms.ts'
import { GroupChoice } from './GroupChoice.tsx'
import { COMMON_TASKS } from './common-tasks.ts'
import type { TaskOwner } from './open-dialog.ts'
import { checkTask, newTask, taskFields } from './form.ts'
import { TaskPreview } from './TaskPreview.tsx'
import styles from './TaskDialogs.module.css'

const KINDS = [
  { value: 'service', label: 'Service' },
  { value: 'replace', label: 'Replace' },
  { value: 'check', label: 'Check' },
]

function TaskFields({ field }: FieldsOf<ReturnType<typeof taskFields>>) {
  const formats = useHeldFormats()
  const outdoorOnly = field('outdoor_only')
  return (
    <>
      <TextField label="Task" maxLength={MAX_LENGTH.service_tasks.name} {...field('name')} />
      <SelectField label="Kind" options={KINDS} {...field('kind')} />
      {AXIS_KEYS.map((axis) => (
        <TextField
          key={axis}
          label={`Every ${AXES[axis].label(formats)}`}
          inputMode={AXES[axis].isWhole ? 'numeric' : 'decimal'}
          {...field(`every_${axis}`)}
        />
      ))}
      <Choices
        legend="Rides that count"
        options={[{ value: 'outdoor', label: 'Outdoor rides only' }]}
        chosen={outdoorOnly.value ? ['outdoor'] : []}
        onToggle={() => outdoorOnly.onChange(!outdoorOnly.value)}
      />
    </>
  )
}

const startsOf = (owner: TaskOwner) =>
  [
    { value: 'today', label: 'Today' },
    { value: 'installed', label: 'part_id' in owner ? 'When installed' : 'First ride' },
  ] as const

type AddProps = { owner: TaskOwner; onClose: () => void }

export function AddTaskDialog({ owner, onClose }: AddProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addTaskAtom)
  const form = useForm({
    fields: {
      ...taskFields(formats),
      last_done: optional(pastDayKind(today)),
      countFrom: choiceKind<CountFrom>(),
    },
    inputs: { kind: 'service', outdoor_only: false, countFrom: 'today' },
    check: checkTask,
    save: ({ last_done, countFrom, ...task }, { key }) => add(owner, task, { last_done, countFrom }, key),
    outcome: ({ name }) => ({ subject: quote(name), done: 'added' }),
    journal: useJournal('service_tasks'),
  })
  const { values, problems, inputs } = form
  const isComplete = Object.keys(problems).every((field) => field === 'name')
  const { last_done = null, countFrom = 'today', ...task } = values

  return (
    <FormDialog title="Add service task" lead={owner.name} label="Save task" form={form} onClose={onClose}>
      <div data-wide className={styles.common} role="group" aria-label="Suggestions">
        {(COMMON_TASKS[owner.type ?? ''] ?? []).map((task) => (
          <button key={task.name} type="button" className="pill" onClick={() => form.fillIn(newTask(task))}>
            {task.name}
          </button>
        ))}
      </div>
      <TaskFields field={form.field} />
      <DateField label="Last done" placeholder="Not yet" {...form.field('last_done')} />
      <div className={styles.start}>
        <span aria-hidden className="note">
          Count from
        </span>
        <SegmentedControl
          legend="Count from"
          options={startsOf(owner)}
          value={inputs.last_done.trim() === '' ? inputs.countFrom : null}
          onChange={(start) => {
            form.set('last_done', '')
            form.set('countFrom', start)
          }}
        />
      </div>
      <TaskPreview
        task={
          isComplete
            ? newTaskOf(owner, { ...newTask(task), name: task.name ?? 'Task' }, { last_done, countFrom })
            : null
        }
      />
    </FormDialog>
  )
}

export function EditTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const edit = useSetAtom(editTaskAtom)
  const remove = useSetAtom(removeTaskAtom)
  const count = useAtomValue(knownTasksAtom).filter(
    ({ group }) => group !== null && group === task.group,
  ).length
  const [isOfAll, setOfAll] = useState(true)
  const form = useForm({
    fields: taskFields(formats),
    shown: {
      name: task.name,
      kind: task.kind,
      outdoor_only: task.outdoor_only,
      ...columnsByAxis((axis) => task.every[axis]),
    },
    check: checkTask,
    save: (_task, { key, ...change }) => edit(task, change, count > 1 && isOfAll, key),
    outcome: () => ({ subject: quote(task.name), done: 'saved' }),
    journal: useJournal('service_tasks'),
  })
  return (
    <FormDialog
      title="Edit service task"
      lead={task.item_name ?? undefined}
      label="Save task"
      command="edit_row"
      remove={{ label: 'Remove task', run: () => void remove(task, count > 1 && isOfAll) }}
      form={form}
      onClose={onClose}
    >
      <GroupChoice count={count} value={isOfAll} onChange={setOfAll} />
      <TaskFields field={form.field} />
    </FormDialog>
  )
}
