// How far a task will be once what waits is saved, as the SQL function `service_due` computes it. Only the tracker has all rides,
// but the days are known here.
import {
  type Axis,
  AXIS_KEYS,
  byAxis,
  earlierByAxis,
  RIDE_AXES,
} from '../../../supabase/functions/_shared/axes.ts'
import type { WriteInput } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import type { Task } from './api.ts'

const NO_FORECAST = { forecast: null, forecast_note: null, is_next_ride: false }

const UNUSED = { distance: 0, moving_time: 0, days: 0 }

const daysBetween = (from: Day, to: Day) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** Counts a task anew from a day, which ends its snooze. Null: only the tracker knows the day. */
export function countedFrom(task: Task, day: Day | null, today: Day): Task {
  const isRidden = RIDE_AXES.some((axis) => task.every[axis] !== null)
  return progressed(
    {
      ...task,
      ...earlierByAxis(() => null),
      state: task.state === 'paused' ? 'paused' : 'ok',
      baseline: day && `${day}T01:00:00`,
      used: UNUSED,
      snoozed_until: null,
      snoozed_distance: null,
      isUncounted: day === null || (isRidden && day < today),
    },
    today,
  )
}

export const done = (task: Task, day: Day, today: Day): Task => ({
  ...countedFrom(task, day, today),
  last_done: `${day}T01:00:00`,
})

type Limits = Partial<Record<`every_${Axis}`, number | null>>

/** Applies edited values, which are columns of the task's row. */
export function edited(task: Task, wanted: object, today: Day): Task {
  const next = { ...task, ...wanted }
  const limits: Limits = wanted
  const every = byAxis((axis) => {
    const limit = limits[`every_${axis}`]
    return limit === undefined ? task.every[axis] : limit
  })
  const isSame = AXIS_KEYS.every((axis) => every[axis] === task.every[axis]) && next.due_on === task.due_on
  // Other rides count.
  const isUncounted = task.isUncounted === true || next.outdoor_only !== task.outdoor_only
  const marked = isUncounted ? { ...next, isUncounted } : next
  return isSame ? marked : progressed({ ...marked, every }, today)
}

export function snoozed(task: Task, { until, distance }: WriteInput<'snooze'>): Task {
  const isOver = until === undefined && distance === undefined
  return {
    ...task,
    state: isOver ? (task.fraction >= 1 ? 'due' : 'ok') : 'snoozed',
    snoozed_until: until ?? null,
    snoozed_distance: distance === undefined ? null : task.used.distance + distance,
  }
}

/** Computes how far a task is from its limits, baseline and what is used. */
export function progressed(task: Task, today: Day): Task {
  const { every, due_on, state } = task
  const from = task.baseline === null ? today : dayOf(task.baseline)
  const used = { ...task.used, days: Math.max(0, daysBetween(from, today)) }
  const shares = byAxis((axis) => (every[axis] === null ? 0 : used[axis] / every[axis]))
  const left = byAxis((axis) => (every[axis] === null ? null : every[axis] - used[axis]))
  if (due_on !== null) {
    const days = daysBetween(from, due_on)
    shares.days = Math.max(days > 0 ? used.days / days : 0, Number(today >= due_on))
    left.days = daysBetween(today, due_on)
  } else if (every.days !== null) left.days = daysBetween(today, from) + every.days
  const fraction = Math.max(...AXIS_KEYS.map((axis) => shares[axis]))
  const axis = AXIS_KEYS.find((one) => shares[one] === fraction && every[one] !== null) ?? 'days'
  const isLate = due_on === null ? shares.days > 1 : today > due_on
  const isOverdue = isLate || Math.max(shares.distance, shares.moving_time) >= 1.1
  const now = isOverdue ? 'overdue' : fraction >= 1 ? 'due' : fraction >= 0.9 ? 'soon' : 'ok'
  const isKept = state === 'paused' || state === 'snoozed'
  return { ...task, ...NO_FORECAST, used, left, fraction, axis, state: isKept ? state : now }
}
