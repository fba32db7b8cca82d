import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices } from '../../components/Choices.tsx'
import { DateField, SelectField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { optional, pastDayKind } from '../../lib/field-kinds.ts'
import { useSave } from '../trash/use-save.ts'
import { useShown } from '../trash/use-shown.ts'
import { addTaskAtom, editTaskAtom, removeTaskAtom } from './edits.ts'
import type { Task, TaskValues } from './api.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import type { TaskOwner } from './dialogs.ts'
import { formOf, type Problems, readForm, type TaskForm } from './form.ts'
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

type AddProps = { owner: TaskOwner; onClose: () => void }

export function AddTaskDialog({ owner, onClose }: AddProps) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addTaskAtom)
  const [form, setForm] = useState(() => formOf({}, formats))
  const [lastDone, setLastDone] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const save = useSave()
  const [common, setCommon] = useState<Partial<TaskValues>>({})

  const submit = async () => {
    const { values, problems } = readForm(form, formats, common)
    const day = optional(pastDayKind(today)).parse(lastDone, formats)
    const wrong = 'message' in day ? { ...problems, lastDone: day.message } : problems
    setProblems(wrong)
    if ('message' in day || Object.keys(wrong).length > 0) return ''
    return save((key) => add(owner, { ...values, last_done: day.value }, key), {
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
        placeholder="When installed"
        onChange={setLastDone}
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
