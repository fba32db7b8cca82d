import { AXES } from '../../../supabase/functions/_shared/axes.ts'
import { limitName } from '../../../supabase/functions/_shared/messages/wear-limits.ts'
import { byUrgency } from '../../../supabase/functions/_shared/service/urgency.ts'
import type { Formats } from '../../lib/formats.ts'
import { dayOf } from '../../lib/days.ts'
import type { Limit, Line, Task } from './api.ts'
import { isDue, lowerFirst, taskMessage } from './task-messages.ts'

const isLimit = (one: Task | Limit): one is Limit => 'limit_distance' in one

/** Identifies a limit among all lines. */
export const limitIdOf = ({ part_id, unit }: Limit): string => `limit-${part_id}-${unit}`

/** Says how far a limit is: `in 590 mi`, `likely reached`, `likely reached 61 mi ago`, `worn since 11/28/2026`. */
export function limitMessage(
  { reached_on, limit_distance, distance, state }: Limit,
  formats: Formats,
): string {
  if (reached_on !== null) return `worn since ${formats.day(dayOf(reached_on))}`
  const away = (meters: number) =>
    AXES.distance.amount(Math.max(meters, AXES.distance.least(formats)), formats, false)
  if (state === 'due') return 'likely reached'
  return state === 'overdue'
    ? `likely reached ${away(distance - limit_distance)} ago`
    : `in ${away(limit_distance - distance)}`
}

/** Says what is next: `wax in 61 mi`, `chain at 0.5% in 590 mi`. */
export const dueMessage = (one: Task | Limit, formats: Formats): string =>
  isLimit(one) ? `${lowerFirst(limitName(one))} ${limitMessage(one, formats)}` : taskMessage(one, formats)

/** Says the same below the miles of the part: `wax in 61 mi`, `worn in 590 mi`, `likely worn`, `worn`. */
export function noteOf(one: Task | Limit, formats: Formats): string {
  if (!isLimit(one)) return taskMessage(one, formats)
  if (one.reached_on !== null) return 'worn'
  return isDue(one) ? 'likely worn' : `worn ${limitMessage(one, formats)}`
}

/** Puts limits between lines, which keep their order. */
export function withLimits(lines: readonly Line[], limits: readonly Limit[]): (Line | Limit)[] {
  const rows: (Line | Limit)[] = [...lines]
  for (const limit of limits) {
    const at = rows.findIndex((row) => 'task' in row && byUrgency(limit, row.task) < 0)
    rows.splice(at === -1 ? rows.length : at, 0, limit)
  }
  return rows
}
