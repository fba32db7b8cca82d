import type { InferOutput } from 'valibot'
import type { Axis, Task } from './contracts/service-tasks.ts'
import { formatNumber, type Formats, HOURS } from './formats.ts'

type Limited = Pick<InferOutput<typeof Task>, 'used' | 'every'>

/** Describes how much of a limit is used: `268.3 of 300.0 mi`, `12 of 30 days`. Null: the task has no such limit. */
export function usageText(
  { used, every }: Limited,
  axis: InferOutput<typeof Axis>,
  { distance }: Formats,
): string | null {
  const limit = every[axis]
  if (limit === null) return null
  const [format, unit] = {
    distance: [distance.number, distance.unit] as const,
    moving_time: [(seconds: number) => formatNumber(HOURS.of(seconds)), 'hours'] as const,
    days: [formatNumber, 'days'] as const,
  }[axis]
  return `${format(used[axis])} of ${format(limit)} ${unit}`
}
