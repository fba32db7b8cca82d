import { AXES, type Axis, AXIS_KEYS } from '../../../supabase/functions/_shared/axes.ts'
import type { Interval } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import { counted, formatHours } from '../../../supabase/functions/_shared/formats/formats.ts'
import { addDays, type Day, dayOf } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import type { ServiceEvent, Task } from './api.ts'

/** Describes a task's state by the limit that decides it: `in 61 mi`, `overdue by 12 days`. */
export function stateMessage(task: Task, formats: Formats): string {
  const { every, used, outdoor_only } = task
  const axis = decidingAxis(task)
  const left = (every[axis] ?? 0) - used[axis]
  const format = (amount: number) => atLeast(axis, amount, formats, outdoor_only)
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
  return task.is_retired ? 'paused, bike is retired' : 'paused, not installed'
}

/** Returns the limit with the largest share used, unless only days make the task overdue: after one extra day, not at 110 %. */
const decidingAxis = ({ state, fraction, axis }: Task): Axis =>
  state === 'overdue' && fraction < 1.1 ? 'days' : axis

const atLeast = (axis: Axis, amount: number, formats: Formats, isOutdoor: boolean) =>
  AXES[axis].amount(Math.max(amount, AXES[axis].least(formats)), formats, isOutdoor)

function snoozedMessage(
  { snoozed_until, snoozed_distance, used, outdoor_only }: Task,
  formats: Formats,
): string {
  if (snoozed_until !== null) return `snoozed until ${formats.day(dayOf(snoozed_until))}`
  const left = (snoozed_distance ?? 0) - used.distance
  return `snoozed for ${atLeast('distance', left, formats, outdoor_only)}`
}

export function taskMessage(task: Task, formats: Formats): string {
  return `${lowerFirst(task.name)} ${stateMessage(task, formats)}`
}

// Leaves abbreviations such as "DT" unchanged.
export const lowerFirst = (name: string) =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

/** Describes a service event: `$8.00 · drained`. Says if service_due leaves it out, because the clock was ahead when Done was pressed. */
export function eventMessage(
  { done_at, cost, note, since_last }: Pick<ServiceEvent, 'done_at' | 'cost' | 'note' | 'since_last'>,
  today: Day,
  formats: Formats,
): string {
  const isAhead = dayOf(done_at) > addDays(today, 1)
  const shown = [
    since_last && `after ${formatInterval(since_last, formats)}`,
    isAhead && 'in the future, doesn’t count yet',
    cost !== null && formats.money(cost),
    note,
  ]
  return shown.filter(Boolean).join(' · ')
}

/** Writes what was ridden between two services: `302 mi, 19 h, 41 days`. */
const formatInterval = ({ distance, moving_time, days }: Interval, formats: Formats): string =>
  [formats.distance.formatWhole(distance), formatHours(moving_time), counted(days, 'day')].join(', ')

/** Says how far apart a task's services typically are: `Wax: typically 302 mi, 19 h, 41 days apart`. */
export function medianMessages(events: readonly ServiceEvent[], formats: Formats): string[] {
  const byTask = Map.groupBy(events, ({ task_id }) => task_id)
  return [...byTask.values()].flatMap(([event]) =>
    event?.median ? [`${event.name}: typically ${formatInterval(event.median, formats)} apart`] : [],
  )
}

/** Lists a task's limits: `every 300 mi or 90 days`, `every 300 outdoor mi`. */
export function formatLimits(
  { every, outdoor_only }: Pick<Task, 'every' | 'outdoor_only'>,
  formats: Formats,
): string {
  const limits = AXIS_KEYS.flatMap((axis) => {
    const limit = every[axis]
    return limit === null ? [] : [AXES[axis].amount(limit, formats, outdoor_only)]
  })
  return `every ${limits.join(' or ')}`
}

export const isDue = ({ state }: Pick<Task, 'state'>) => state === 'due' || state === 'overdue'

export const isAhead = ({ state }: Pick<Task, 'state'>) => state === 'ok' || state === 'soon'

export const formatPlace = ({ item_name, gear_id }: Task, bikeName: (gearId: number) => string): string =>
  [...(item_name === null ? [] : [item_name]), bikeName(gear_id)].join(', ')
