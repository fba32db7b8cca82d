import { addDays, type Day, dayOf } from '../../lib/days.ts'
import { counted, formatCount, type Formats } from '../../lib/formats.ts'
import { AXES, type Axis, type ServiceEvent, type Task } from './api.ts'

const SECONDS_PER_HOUR = 3600

/** Formats an amount in a limit's unit: `61 mi`, `61 outdoor mi`, `4.5 h`, `12 days`. Amounts below 10 have a decimal. */
export function formatAmount(axis: Axis, amount: number, formats: Formats, isOutdoor = false): string {
  if (axis === 'days') return counted(amount, 'day')
  const [value, unit] =
    axis === 'distance'
      ? [formats.distance.of(amount), formats.distance.unit]
      : [Math.round((amount / SECONDS_PER_HOUR) * 10) / 10, 'h']
  const isWhole = value >= 10 || Number.isInteger(value)
  return `${isWhole ? formatCount(value) : value.toFixed(1)} ${isOutdoor ? 'outdoor ' : ''}${unit}`
}

/** Describes a task's state by the limit that decides it: `in 61 mi`, `overdue by 12 days`. */
export function stateMessage(task: Task, formats: Formats): string {
  const { every, used, outdoor_only } = task
  const axis = decidingAxis(task)
  const left = (every[axis] ?? 0) - used[axis]
  const format = (amount: number) =>
    formatAmount(axis, Math.max(amount, smallest(axis, formats)), formats, outdoor_only)
  switch (task.state) {
    case 'ok':
    case 'soon':
      return `in ${format(left)}`
    case 'due':
      return axis === 'days' ? 'due today' : 'due'
    case 'overdue':
      return `overdue by ${format(-left)}`
    case 'snoozed':
      return snoozedMessage(task, formats)
    case 'paused':
      break
  }
  return 'paused, not installed'
}

/** Returns the limit with the largest share used, unless only days make the task overdue: after one extra day, not at 110 %. */
const decidingAxis = ({ state, fraction, axis }: Task): Axis =>
  state === 'overdue' && fraction < 1.1 ? 'days' : axis

// Avoids "in 0.0 mi" just before the limit.
const smallest = (axis: Axis, formats: Formats) =>
  ({ distance: formats.distance.toStored(0.1), moving_time: 360, days: 1 })[axis]

function snoozedMessage(
  { snoozed_until, snoozed_distance, used, outdoor_only }: Task,
  formats: Formats,
): string {
  if (snoozed_until !== null) return `snoozed until ${formats.day(dayOf(snoozed_until))}`
  const left = (snoozed_distance ?? 0) - used.distance
  return `snoozed for ${formatAmount('distance', Math.max(left, smallest('distance', formats)), formats, outdoor_only)}`
}

export function taskMessage(task: Task, formats: Formats): string {
  return `${lowerFirst(task.name)} ${stateMessage(task, formats)}`
}

// Leaves abbreviations such as "DT" unchanged.
export const lowerFirst = (name: string) =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

/** Describes a service event: `$8.00 · drained`. Says if service_due leaves it out, because the clock was ahead when Done was pressed. */
export function eventMessage(
  { done_at, cost, note }: Pick<ServiceEvent, 'done_at' | 'cost' | 'note'>,
  today: Day,
  formats: Formats,
): string {
  const isAhead = dayOf(done_at) > addDays(today, 1)
  const shown = [isAhead && 'in the future, doesn’t count yet', cost !== null && formats.money(cost), note]
  return shown.filter(Boolean).join(' · ')
}

/** Lists a task's limits: `every 300 mi or 90 days`, `every 300 outdoor mi`. */
export function formatLimits(
  { every, outdoor_only }: Pick<Task, 'every' | 'outdoor_only'>,
  formats: Formats,
): string {
  const limits = AXES.flatMap((axis) => {
    const limit = every[axis]
    return limit === null ? [] : [formatAmount(axis, limit, formats, outdoor_only)]
  })
  return `every ${limits.join(' or ')}`
}

export const isDue = ({ state }: Pick<Task, 'state'>) => state === 'due' || state === 'overdue'

export const isAhead = ({ state }: Pick<Task, 'state'>) => state === 'ok' || state === 'soon'

export const formatPlace = ({ item_name, gear_id }: Task, bikeName: (gearId: number) => string): string =>
  [...(item_name === null ? [] : [item_name]), bikeName(gear_id)].join(', ')
