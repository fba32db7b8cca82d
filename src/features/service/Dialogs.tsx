import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'

import { DateInput } from '../../components/DateInput.tsx'
import { DayField } from '../../components/DayField.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays, type Day, dayOf, parseDay } from '../../lib/days.ts'
import { newUuid } from '../../lib/writes.ts'
import {
  addTaskAtom,
  correctEventAtom,
  editTaskAtom,
  refusal,
  removeEventAtom,
  removeTaskAtom,
  snoozeAtom,
} from './actions.ts'
import { KINDS, type Task, type TaskValues } from './api.ts'
import { COMMON_TASKS } from './common-tasks.ts'
import styles from './Dialogs.module.css'
import { type ServiceDialog, serviceDialogAtom, type TaskOwner } from './dialogs.ts'
import { ForecastDialog } from './ForecastDialog.tsx'
import { formOf, type Problems, readForm, type TaskForm } from './form.ts'
import { stateWords } from './words.ts'

export function Dialogs() {
  const [dialog, setDialog] = useAtom(serviceDialogAtom)
  const close = () => setDialog(null)
  switch (dialog?.kind) {
    case 'add':
      return <AddDialog owner={dialog.owner} gearId={dialog.gearId} onClose={close} />
    case 'edit':
      return <EditDialog key={dialog.task.id} task={dialog.task} onClose={close} />
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

type FrameProps = {
  title: string
  lead?: ReactNode
  label: string
  /** Saves. Resolves to whether the dialog closes. Throws if the database refuses. */
  onSave: () => Promise<boolean>
  remove?: { label: string; run: () => void }
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form. What the database refuses is shown above the buttons, and nothing typed is lost. */
function FormDialog({ title, lead, label, onSave, remove, onClose, children }: FrameProps) {
  const formId = useId()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const readOnly = useReadOnly()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || readOnly.disabled) return
    setBusy(true)
    setProblem(null)
    try {
      if (await onSave()) onClose()
    } catch (cause) {
      setProblem(refusal(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      actions={
        <>
          {remove && (
            <button
              type="button"
              className={styles.remove}
              {...readOnly}
              onClick={() => {
                onClose()
                remove.run()
              }}
            >
              {remove.label}
            </button>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="primary" aria-disabled={isBusy} {...readOnly}>
            {label}
          </button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {children}
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
    </Dialog>
  )
}

type FieldProps = ComponentProps<'input'> & { label: string; problem?: string | undefined }

function Field({ label, problem, ...input }: FieldProps) {
  const [id, reasonId] = [useId(), useId()]
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        type="text"
        autoComplete="off"
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : reasonId}
      />
      {problem !== undefined && (
        <span id={reasonId} className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  )
}

const KIND_LABELS = { service: 'Service', replace: 'Replace', check: 'Check' } as const

type TaskFieldsProps = { form: TaskForm; problems: Problems; onChange: (form: TaskForm) => void }

function TaskFields({ form, problems, onChange }: TaskFieldsProps) {
  const units = useAtomValue(unitsAtom)
  const kindId = useId()
  const text = (field: Exclude<keyof TaskForm, 'kind'>) => ({
    value: form[field],
    problem: problems[field],
    onChange: (event: { target: { value: string } }) => onChange({ ...form, [field]: event.target.value }),
  })
  return (
    <>
      <Field label="Task" maxLength={200} {...text('name')} />
      <div className={styles.field}>
        <label htmlFor={kindId}>Kind</label>
        <select
          id={kindId}
          value={form.kind}
          onChange={(event) => onChange({ ...form, kind: event.target.value })}
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_LABELS[kind]}
            </option>
          ))}
        </select>
      </div>
      <Field label={`Every ${units.name.toLowerCase()}`} inputMode="decimal" {...text('distance')} />
      <Field label="Every hours" inputMode="decimal" {...text('hours')} />
      <Field label="Every days" inputMode="numeric" {...text('days')} />
    </>
  )
}

type AddProps = { owner: TaskOwner; gearId: number; onClose: () => void }

function AddDialog({ owner, gearId, onClose }: AddProps) {
  const units = useAtomValue(unitsAtom)
  const today = useAtomValue(todayAtom)
  const add = useSetAtom(addTaskAtom)
  const [form, setForm] = useState(() => formOf({}, units))
  const [lastDone, setLastDone] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  // The same key for every attempt, so trying again never adds a second task.
  const [requestKey] = useState(newUuid)
  const [common, setCommon] = useState<Partial<TaskValues>>({})

  const save = async () => {
    const { values, problems } = readForm(form, units, common)
    const day = parseDay(lastDone)
    if (lastDone.trim() !== '' && day === null) problems.lastDone = 'Enter a date as MM/DD/YYYY.'
    else if (day !== null && day > today) problems.lastDone = 'Enter today or an earlier date.'
    setProblems(problems)
    if (Object.keys(problems).length > 0) return false
    await add(owner, gearId, { ...values, name: values.name, request_key: requestKey, last_done: day })
    return true
  }
  return (
    <FormDialog title="Add service" lead={owner.name} label="Save task" onSave={save} onClose={onClose}>
      <div className={styles.common} role="group" aria-label="Suggestions">
        {(COMMON_TASKS[owner.type ?? ''] ?? []).map((task) => (
          <button
            key={task.name}
            type="button"
            onClick={() => {
              setCommon(task)
              setForm(formOf(task, units))
            }}
          >
            {task.name}
          </button>
        ))}
      </div>
      <TaskFields form={form} problems={problems} onChange={setForm} />
      <LastDone text={lastDone} problem={problems.lastDone} onType={setLastDone} />
    </FormDialog>
  )
}

type LastDoneProps = { text: string; problem: string | undefined; onType: (text: string) => void }

function LastDone({ text, problem, onType }: LastDoneProps) {
  const [id, reasonId] = [useId(), useId()]
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Last done</label>
      <DateInput
        id={id}
        value={text}
        selected={parseDay(text)}
        opensOnFocus={false}
        placeholder="When installed"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : reasonId}
        onType={onType}
      />
      {problem !== undefined && (
        <span id={reasonId} className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  )
}

function EditDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const units = useAtomValue(unitsAtom)
  const edit = useSetAtom(editTaskAtom)
  const remove = useSetAtom(removeTaskAtom)
  const before = {
    name: task.name,
    kind: task.kind,
    every_distance: task.every.distance,
    every_moving_time: task.every.moving_time,
    every_days: task.every.days,
  }
  const [form, setForm] = useState(() => formOf(before, units))
  const [problems, setProblems] = useState<Problems>({})
  const save = async () => {
    const { values, problems } = readForm(form, units, before)
    setProblems(problems)
    if (Object.keys(problems).length > 0) return false
    await edit(task, values)
    return true
  }
  return (
    <FormDialog
      title="Edit service"
      lead={task.item_name ?? undefined}
      label="Save task"
      remove={{ label: 'Remove task', run: () => void remove(task) }}
      onSave={save}
      onClose={onClose}
    >
      <TaskFields form={form} problems={problems} onChange={setForm} />
    </FormDialog>
  )
}

function SnoozeDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const units = useAtomValue(unitsAtom)
  const today = useAtomValue(todayAtom)
  const snooze = useSetAtom(snoozeAtom)
  const [by, setBy] = useState<'days' | 'distance'>('days')
  const [amounts, setAmounts] = useState({ days: '7', distance: '50' })
  const [problem, setProblem] = useState<string>()
  const label = by === 'days' ? 'Days' : units.name

  const save = async () => {
    const amount = Number(amounts[by])
    const most = by === 'days' ? 3650 : 100_000
    if (!(amount > 0 && amount <= most) || (by === 'days' && !Number.isInteger(amount))) {
      setProblem(`Enter a number from 1 to ${most.toLocaleString('en-US')}.`)
      return false
    }
    await snooze(
      task,
      by === 'days' ? { until: addDays(today, amount) } : { distance: units.distance.toStored(amount) },
    )
    return true
  }
  return (
    <FormDialog
      title={`Snooze ${task.name}`}
      lead={stateWords(task, units)}
      label="Snooze"
      onSave={save}
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
      <Field
        label={`${label} to snooze`}
        inputMode="numeric"
        value={amounts[by]}
        problem={problem}
        onChange={(event) => setAmounts({ ...amounts, [by]: event.target.value })}
      />
    </FormDialog>
  )
}

type EventProps = Extract<ServiceDialog, { kind: 'event' }> & { onClose: () => void }

function EventDialog({ event, gearId, others, onClose }: EventProps) {
  const today = useAtomValue(todayAtom)
  const correct = useSetAtom(correctEventAtom)
  const remove = useSetAtom(removeEventAtom)
  const [day, setDay] = useState<Day>(dayOf(event.done_at))
  const [cost, setCost] = useState(event.cost === null ? '' : String(event.cost))
  const [note, setNote] = useState(event.note ?? '')
  const [also, setAlso] = useState<readonly number[]>([])
  const [costProblem, setCostProblem] = useState<string>()

  const save = async () => {
    const dollars = cost.trim() === '' ? null : Number(cost.replace(/[$,\s]/g, ''))
    const isCost = dollars === null || (Number.isFinite(dollars) && Math.abs(dollars) < 1e9)
    setCostProblem(isCost ? undefined : 'Enter a cost in dollars.')
    if (!isCost || day > today) return false
    await correct(event, gearId, { done_on: day, cost: dollars, note, also_done: [...also] })
    return true
  }
  return (
    <FormDialog
      title={`${event.name} was done`}
      label="Save"
      remove={{ label: 'Remove', run: () => void remove(event, gearId) }}
      onSave={save}
      onClose={onClose}
    >
      <DayField
        label="Day"
        value={day}
        picked={day}
        calendarAt={day}
        problem={day > today ? 'Enter today or an earlier date.' : null}
        onChange={setDay}
      />
      <Field
        label="Cost"
        inputMode="decimal"
        placeholder="Free"
        value={cost}
        problem={costProblem}
        onChange={(change) => setCost(change.target.value)}
      />
      <Field
        label="Note"
        maxLength={10_000}
        value={note}
        onChange={(change) => setNote(change.target.value)}
      />
      {others.length > 0 && (
        <fieldset className={styles.also}>
          <legend>Also done</legend>
          {others.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={also.includes(id)}
                onChange={() => setAlso(also.includes(id) ? also.filter((one) => one !== id) : [...also, id])}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}
