import { AXES, type Axis } from '../axes.ts'
import type { Task } from '../contracts/service-tasks.ts'
import type { Formats } from '../formats/formats.ts'

/** Describes how much of a limit is used: `268.3 of 300.0 mi`, `12 of 30 days`, `by 11/30/2026`. Null: the task has no such limit. */
export function usageText(
  { used, every, due_on }: Pick<Task, 'used' | 'every' | 'due_on'>,
  axis: Axis,
  formats: Formats,
): string | null {
  const limit = every[axis]
  const { number, unit } = AXES[axis]
  if (axis === 'days' && due_on !== null) return `by ${formats.day(due_on)}`
  return limit === null
    ? null
    : `${number(used[axis], formats)} of ${number(limit, formats)} ${unit(formats)}`
}
