import { AXES, type Axis } from '../axes.ts'
import type { Task } from '../contracts/service-tasks.ts'
import type { Formats } from '../formats/formats.ts'

/** Describes how much of a limit is used: `268.3 of 300.0 mi`, `12 of 30 days`. Null: the task has no such limit. */
export function usageText(
  { used, every }: Pick<Task, 'used' | 'every'>,
  axis: Axis,
  formats: Formats,
): string | null {
  const limit = every[axis]
  const { number, unit } = AXES[axis]
  return limit === null
    ? null
    : `${number(used[axis], formats)} of ${number(limit, formats)} ${unit(formats)}`
}
