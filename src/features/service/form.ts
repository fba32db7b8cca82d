import { AXES, AXIS_KEYS, columnsByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { CHECKS } from '../../../supabase/functions/_shared/database-errors.ts'
import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { optional, textKind } from '../../lib/field-kinds.ts'
import { choiceKind, numberKind } from '../../lib/forms.ts'
import type { Formats } from '../../lib/formats.ts'
import type { TaskValues } from './api.ts'

/** A task's fields, by column. */
export const taskFields = (formats: Formats) => ({
  name: textKind(MAX_LENGTH.service_tasks.name, 'a name'),
  kind: choiceKind<string>(),
  outdoor_only: choiceKind<boolean>(),
  ...columnsByAxis((axis) => optional(numberKind({ ...AXES[axis], ...AXES[axis].entered(formats) }))),
})

/** Completes the values of a new task. */
export const newTask = (values: Partial<TaskValues>) => ({
  kind: 'service',
  outdoor_only: false,
  ...values,
  ...columnsByAxis((axis) => values[`every_${axis}`] ?? null),
})

export function checkTask(values: Partial<TaskValues>) {
  return AXIS_KEYS.every((axis) => values[`every_${axis}`] === null)
    ? { [`every_${AXIS_KEYS[0]}`]: CHECKS.service_tasks_limit_check }
    : {}
}
