// Screens show this until the changes that wait are saved. Numbers that the tracker computes stay as they were read.
import { byAxis, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
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
        if (change.command === 'mark_done' && change.input.task_id === id) {
          isDone.add(id)
          return done(one, change.input.done_on)
        }
        if (change.command === 'correct_event' && change.input.also_done.includes(id)) {
          isDone.add(id)
          return done(one, (change.input.wanted['done_on'] ?? change.input.shown['done_on']) as string)
        }
        return change.command === 'snooze' && change.input.task_id === id ? snoozed(one, change.input) : one
      },
      edited('service_tasks', task, changes),
    )
  })
  return applied.toSorted((a, b) => Number(isDone.has(a.id)) - Number(isDone.has(b.id)))
}

const NO_FORECAST = { forecast: null, forecast_note: null, is_next_ride: false }

const done = (task: Task, day = ''): Task => ({
  ...task,
  ...NO_FORECAST,
  state: task.state === 'paused' ? 'paused' : 'ok',
  fraction: 0,
  used: byAxis(() => 0),
  ...earlierByAxis(() => null),
  snoozed_until: null,
  snoozed_distance: null,
  last_done: `${day}T01:00:00`,
})

function snoozed(task: Task, { until, distance }: WriteInput<'snooze'>): Task {
  const isOver = until === undefined && distance === undefined
  return {
    ...task,
    state: isOver ? (task.fraction >= 1 ? 'due' : 'ok') : 'snoozed',
    snoozed_until: until ?? null,
    snoozed_distance: distance === undefined ? null : task.used.distance + distance,
  }
}
