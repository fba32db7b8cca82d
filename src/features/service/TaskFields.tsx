import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'

import { AXES, AXIS_KEYS } from '../../../supabase/functions/_shared/axes.ts'
import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { Choices } from '../../components/Choices.tsx'
import { DateField, SelectField, TextField } from '../../components/fields.tsx'
import type { FieldsOf } from '../../components/use-form.ts'
import { shorten, useHeldFormats } from '../../lib/formats.ts'
import type { Task } from './api.ts'
import { linesOnBikeAtom } from './atoms.ts'
import type { taskFields } from './form.ts'
import { partOf } from './task-messages.ts'
import styles from './TaskDialogs.module.css'

const KINDS = [
  { value: 'service', label: 'Service' },
  { value: 'replace', label: 'Replace' },
  { value: 'check', label: 'Check' },
]

type Props = FieldsOf<ReturnType<typeof taskFields>> & {
  bikeId: number
  once: boolean
  /** The task that is edited. */
  task?: Task
  /** Asks whether it is done once. */
  repeats?: ReactNode
  /** Asks for which parts it is. */
  parts?: ReactNode
}

export function TaskFields({ field, bikeId, once, task, repeats, parts }: Props) {
  const formats = useHeldFormats()
  const outdoorOnly = field('outdoor_only')
  return (
    <>
      <TextField label="Task" maxLength={MAX_LENGTH.service_tasks.name} {...field('name')} />
      <div data-wide className={styles.kind}>
        <SelectField label="Kind" options={KINDS} {...field('kind')} />
        {repeats}
      </div>
      <div data-wide className={styles.limits} data-once={once}>
        {AXIS_KEYS.filter((axis) => !once || axis !== 'days').map((axis) => (
          <TextField
            key={axis}
            label={`${once ? 'After' : 'Every'} ${AXES[axis].label(formats)}`}
            inputMode={AXES[axis].isWhole ? 'numeric' : 'decimal'}
            {...field(`every_${axis}`)}
          />
        ))}
        {once && <DateField label="On day" placeholder="Any day" {...field('due_on')} />}
        {once && <OtherTask field={field('with_task')} bikeId={bikeId} task={task} />}
      </div>
      {parts}
      <Choices
        legend="Rides that count"
        options={[{ value: 'outdoor', label: 'Outdoor rides only' }]}
        chosen={outdoorOnly.value ? ['outdoor'] : []}
        onToggle={() => outdoorOnly.onChange(!outdoorOnly.value)}
      />
    </>
  )
}

type OtherProps = {
  field: { value: number; onChange: (id: number) => void }
  bikeId: number
  task: Task | undefined
}

/** Asks with which task's next Done this one is offered. */
function OtherTask({ field, bikeId, task }: OtherProps) {
  const lines = useAtomValue(linesOnBikeAtom(bikeId)).filter((line) => !line.task.once && line.task !== task)
  const options = lines.map((line) => ({
    value: line.task.id,
    label: [line.task.name, shorten(partOf(line) ?? '')].filter(Boolean).join(', '),
  }))
  const isListed = field.value === 0 || options.some(({ value }) => value === field.value)
  return (
    <SelectField
      label="With the next"
      options={[
        { value: 0, label: 'No other task' },
        ...options,
        ...(isListed ? [] : [{ value: field.value, label: task?.with_task_name ?? 'Another task' }]),
      ]}
      {...field}
    />
  )
}
