import { AXES, AXIS_KEYS, columnsByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { CHECKS } from '../../../supabase/functions/_shared/database-errors.ts'
import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import type { Day } from '../../lib/days.ts'
import { dayKind, optional, type TextKind, textKind } from '../../lib/field-kinds.ts'
import { choiceKind, numberKind } from '../../lib/forms.ts'
import type { Formats } from '../../lib/formats.ts'
import type { TaskValues } from './api.ts'

const fromDayKind = (today: Day): TextKind<Day> => ({
  ...dayKind,
  parse(text, formats) {
    const parsed = dayKind.parse(text, formats)
    return 'value' in parsed && parsed.value < today ? { message: 'Enter today or a later date.' } : parsed
  },
})

/** Another task by its id. The input of none is 0. */
const otherTaskKind = {
  format: (id: number | null) => id ?? 0,
  parse: (id: number) => ({ value: id || null }),
}

/** A task's fields, by column. */
export const taskFields = (formats: Formats, today: Day) => ({
  name: textKind(MAX_LENGTH.service_tasks.name, 'a name'),
  kind: choiceKind<string>(),
  outdoor_only: choiceKind<boolean>(),
  ...columnsByAxis((axis) => optional(numberKind({ ...AXES[axis], ...AXES[axis].entered(formats) }))),
  due_on: optional(fromDayKind(today)),
  with_task: otherTaskKind,
})

/** Completes the values of a new task. */
export const newTask = (values: Partial<TaskValues>) => ({
  kind: 'service',
  outdoor_only: false,
  once: false,
  due_on: null,
  with_task: null,
  ...values,
  ...columnsByAxis((axis) => values[`every_${axis}`] ?? null),
})

export function checkTask({ due_on, with_task, ...values }: Partial<TaskValues>) {
  const limits = [...AXIS_KEYS.map((axis) => values[`every_${axis}`]), due_on, with_task]
  return limits.every((limit) => limit === null)
    ? { [`every_${AXIS_KEYS[0]}`]: CHECKS.service_tasks_limit_check }
    : {}
}
