// Screens show this until the changes that wait are saved. Numbers that the tracker computes stay as they were read.
import { type Axis, AXIS_KEYS, byAxis, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
import type { WriteInput } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import type { Waiting } from '../../lib/waiting.ts'
import { edited } from '../../lib/waiting-rows.ts'
import type { Task } from './api.ts'

/** Applies the changes that wait to service tasks. Those that were done come last. */
export function applyToTasks(tasks: Task[], changes: readonly Waiting[]): Task[] {
  const isDone = new Set<number>()
  const applied = tasks.map((task) => {
    const { id } = task
    return changes.reduce(
      (one, change) => {
        if (
          change.command === 'mark_done' &&
          [change.input.task_id, ...(change.input.also_done ?? [])].includes(id)
        ) {
          isDone.add(id)
          return done(one, change.input.done_on ?? '')
        }
        if (change.command === 'add_measurement' && change.input.also_done?.includes(id)) {
          isDone.add(id)
          return done(one, change.input.measurement['measured_on'] as string)
        }
        if (change.command === 'correct_event' && change.input.also_done.includes(id)) {
          isDone.add(id)
          return done(one, (change.input.wanted['done_on'] ?? change.input.shown['done_on']) as string)
        }
        return change.command === 'snooze' &&
          [change.input.task_id, ...(change.input.also ?? [])].includes(id)
          ? snoozed(one, change.input)
          : one
      },
      limited(edited('service_tasks', task, changes)),
    )
  })
  return applied
    .filter(({ id, once }) => !(once && isDone.has(id)))
    .toSorted((a, b) => Number(isDone.has(a.id)) - Number(isDone.has(b.id)))
}

const NO_FORECAST = { forecast: null, forecast_note: null, is_next_ride: false }

/** Only the tracker knows the distance and time since a day in the past, but the days are known here. */
const done = (task: Task, day: string): Task => ({
  ...task,
  ...NO_FORECAST,
  ...progress(
    { ...task, state: 'ok' },
    byAxis((axis) => (axis === 'days' ? daysSince(task, day) : 0)),
  ),
  ...(task.state === 'paused' && { state: 'paused' }),
  ...earlierByAxis(() => null),
  snoozed_until: null,
  snoozed_distance: null,
  last_done: `${day}T01:00:00`,
})

/** Counts from the day that the task counted from until now, so today is the owner's. */
function daysSince({ baseline, used }: Task, day: string): number {
  if (baseline === null) return 0
  const later = Date.parse(day) - Date.parse(baseline.slice(0, 10))
  return Math.max(0, used.days - Math.round(later / 86_400_000))
}

type Limits = Partial<Record<`every_${Axis}`, number | null>>

/** Applies edited limits, which are columns of the task's row. How far its day is stays as it was read. */
function limited(task: Task & Limits): Task {
  const every = byAxis((axis) =>
    `every_${axis}` in task ? (task[`every_${axis}`] ?? null) : task.every[axis],
  )
  if (AXIS_KEYS.every((axis) => every[axis] === task.every[axis])) return task
  const edited = { ...task, every }
  return { ...edited, ...NO_FORECAST, ...progress(edited, task.used) }
}

/** Computes how far a task is, as the SQL function `service_due` does. */
function progress(
  { every, state, due_on, left: known }: Task,
  used: Task['used'],
): Pick<Task, 'used' | 'left' | 'fraction' | 'axis' | 'state'> {
  const fractions = byAxis((axis) => (every[axis] === null ? 0 : used[axis] / every[axis]))
  const left = byAxis((axis) => (every[axis] === null ? null : every[axis] - used[axis]))
  if (due_on !== null) left.days = known.days
  const fraction = Math.max(...AXIS_KEYS.map((axis) => fractions[axis]))
  const axis = AXIS_KEYS.find((one) => fractions[one] === fraction && every[one] !== null) ?? 'days'
  const isOverdue = Math.max(fractions.distance, fractions.moving_time) >= 1.1 || fractions.days > 1
  const now = isOverdue ? 'overdue' : fraction >= 1 ? 'due' : fraction >= 0.9 ? 'soon' : 'ok'
  return { used, left, fraction, axis, state: state === 'paused' || state === 'snoozed' ? state : now }
}

function snoozed(task: Task, { until, distance }: WriteInput<'snooze'>): Task {
  const isOver = until === undefined && distance === undefined
  return {
    ...task,
    state: isOver ? (task.fraction >= 1 ? 'due' : 'ok') : 'snoozed',
    snoozed_until: until ?? null,
    snoozed_distance: distance === undefined ? null : task.used.distance + distance,
  }
}
