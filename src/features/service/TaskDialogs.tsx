import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices } from '../../components/Choices.tsx'
import { DateField, SelectField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { optional, pastDayKind } from '../../lib/field-kinds.ts'
import { useSave } from '../trash/use-save.ts'
import { useShown } from '../trash/use-shown.ts'
import { addTaskAtom, type CountFrom, editTaskAtom, newTaskOf, removeTaskAtom } from './edits.ts'
import type { Task, TaskValues } from './api.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import type { TaskOwner } from './dialogs.ts'
import { formOf, type Problems, readForm, type TaskForm } from './form.ts'
import { TaskPreview } from './TaskPreview.tsx'
import styles from './TaskDialogs.module.css'

const KINDS = [
  { value: 'service', label: 'Service' },
  { value: 'replace', label: 'Replace' },
  { value: 'check', label: 'Check' },
]

type TaskFieldsProps = { form: TaskForm; problems: Problems; onChange: (form: TaskForm) => void }

function TaskFields({ form, problems, onChange }: TaskFieldsProps) {
  const formats = useHeldFormats()
  const text = (field: Exclude<keyof TaskForm, 'kind' | 'outdoor_only'>) => ({
    value: form[field],
    problem: problems[field],
    onChange: (text: string) => onChange({ ...form, [field]: text }),
  })
  return (
    <>
      <TextField label="Task" maxLength={MAX_LENGTH.service_tasks.name} {...text('name')} />
      <SelectField
        label="Kind"
        value={form.kind}
        options={KINDS}
        onChange={(kind) => onChange({ ...form, kind })}
      />
      <TextField label={`Every ${formats.name.toLowerCase()}`} inputMode="decimal" {...text('distance')} />
      <TextField label="Every hours" inputMode="decimal" {...text('hours')} />
      <TextField label="Every days" inputMode="numeric" {...text('days')} />
      <Choices
        legend="Rides that count"
        options={[{ value: 'outdoor', label: 'Outdoor rides only' }]}
        chosen={form.outdoor_only ? ['outdoor'] : []}
        onToggle={() => onChange({ ...form, outdoor_only: !form.outdoor_only })}
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
  const [form, setForm] = useState(() => formOf({}, formats))
  const [lastDone, setLastDone] = useState('')
  const [countFrom, setCountFrom] = useState<CountFrom>('today')
  const [problems, setProblems] = useState<Problems>({})
  const save = useSave()
  const [common, setCommon] = useState<Partial<TaskValues>>({})

  const { values, problems: wrong } = readForm(form, formats, common)
  const day = optional(pastDayKind(today)).parse(lastDone, formats)
  const isComplete = !('message' in day) && Object.keys(wrong).every((field) => field === 'name')
  const start = { last_done: 'message' in day ? null : day.value, countFrom }

  const submit = async () => {
    setProblems('message' in day ? { ...wrong, lastDone: day.message } : wrong)
    if ('message' in day || Object.keys(wrong).length > 0) return ''
    return save((key) => add(owner, values, start, key), {
      subject: quote(values.name),
      done: 'added',
    })
  }
  return (
    <FormDialog title="Add service" lead={owner.name} label="Save task" onSave={submit} onClose={onClose}>
      <div data-wide className={styles.common} role="group" aria-label="Suggestions">
        {(COMMON_TASKS[owner.type ?? ''] ?? []).map((task) => (
          <button
            key={task.name}
            type="button"
            className="pill"
            onClick={() => {
              setCommon(task)
              setForm(formOf(task, formats))
            }}
          >
            {task.name}
          </button>
        ))}
      </div>
      <TaskFields form={form} problems={problems} onChange={setForm} />
      <DateField
        label="Last done"
        value={lastDone}
        problem={problems.lastDone}
        placeholder="Not yet"
        onChange={setLastDone}
      />
      <div className={styles.start}>
        <span aria-hidden className="note">
          Count from
        </span>
        <SegmentedControl
          legend="Count from"
          options={startsOf(owner)}
          value={lastDone.trim() === '' ? countFrom : null}
          onChange={(start) => {
            setLastDone('')
            setCountFrom(start)
          }}
        />
      </div>
      <TaskPreview
        task={isComplete ? newTaskOf(owner, { ...values, name: values.name || 'Task' }, start) : null}
      />
    </FormDialog>
  )
}

export function EditTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const edit = useSetAtom(editTaskAtom)
  const remove = useSetAtom(removeTaskAtom)
  const save = useSave()
  const { shown, wantedOf, describe } = useShown<TaskValues>('service_tasks', {
    name: task.name,
    kind: task.kind,
    outdoor_only: task.outdoor_only,
    every_distance: task.every.distance,
    every_moving_time: task.every.moving_time,
    every_days: task.every.days,
  })
  const [form, setForm] = useState(() => formOf(shown, formats))
  const [problems, setProblems] = useState<Problems>({})
  const submit = async () => {
    const { values, problems } = readForm(form, formats, shown)
    setProblems(problems)
    if (Object.keys(problems).length > 0) return ''
    const wanted = wantedOf(values)
    return save((key) => edit(task, { shown, wanted }, key), {
      subject: quote(task.name),
      done: 'saved',
      describe: (cause) => describe(cause, wanted),
    })
  }
  return (
    <FormDialog
      title="Edit service"
      lead={task.item_name ?? undefined}
      label="Save task"
      remove={{ label: 'Remove task', run: () => void remove(task) }}
      onSave={submit}
      onClose={onClose}
    >
      <TaskFields form={form} problems={problems} onChange={setForm} />
    </FormDialog>
  )
}
