import { AXES, type Axis, AXIS_KEYS } from '../../../supabase/functions/_shared/axes.ts'
import type { Interval } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import { counted, formatHours } from '../../../supabase/functions/_shared/formats/formats.ts'
import { addDays, type Day, dayOf } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import { NOT_COUNTED } from '../../lib/waiting.ts'
import { countParts } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import type { Line, ServiceEvent, Task } from './api.ts'

/** Describes a task's state by the limit that decides it: `in 61 mi`, `overdue by 12 days`. */
export function stateMessage(task: Task, formats: Formats): string {
  const { outdoor_only } = task
  const axis = decidingAxis(task)
  const left = task.left[axis]
  const format = (amount: number) => atLeast(axis, amount, formats, outdoor_only)
  switch (task.state) {
    case 'ok':
    case 'soon':
      if (task.isUncounted) return NOT_COUNTED
      return left === null ? `with ${task.with_task_name ?? 'a removed task'}` : `in ${format(left)}`
    case 'due':
      return axis === 'days' ? 'due today' : 'due'
    case 'overdue':
      return `overdue by ${format(-(left ?? 0))}`
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

type Limits = Pick<Task, 'every' | 'outdoor_only'> &
  Partial<Pick<Task, 'once' | 'due_on' | 'with_task' | 'with_task_name'>>

/** Lists a task's limits: `every 300 mi or 90 days`, `every 300 outdoor mi`, `once, after 300 mi or on 11/30/2026`. */
export function formatLimits(
  { every, outdoor_only, once = false, due_on = null, with_task = null, with_task_name }: Limits,
  formats: Formats,
): string {
  const limits = AXIS_KEYS.flatMap((axis) => {
    const limit = every[axis]
    return limit === null ? [] : [AXES[axis].amount(limit, formats, outdoor_only)]
  })
  if (!once) return `every ${limits.join(' or ')}`
  const ends = [
    ...limits.map((limit) => `after ${limit}`),
    ...(due_on === null ? [] : [`on ${formats.day(dayOf(due_on))}`]),
    ...(with_task === null ? [] : [`with ${with_task_name ?? 'a removed task'}`]),
  ]
  return `once, ${ends.join(' or ')}`
}

export const isDue = ({ state }: Pick<Task, 'state'>) => state === 'due' || state === 'overdue'

export const isAhead = ({ state }: Pick<Task, 'state'>) => state === 'ok' || state === 'soon'

/** Names the part of a line, or counts its parts: `KMC X11SL`, `4 tires`. Null for a bike's task. */
export const partOf = ({ task, others }: Line): string | null =>
  others.length > 0 ? countParts([task, ...others]) : task.item_name

/** Names the bikes of a line, the most urgent task's first: `Domane, Warbird`. */
export const bikesOf = ({ task, others }: Line, bikeName: (gearId: number) => string): string =>
  [...new Set([task, ...others].map(({ gear_id }) => bikeName(gear_id)))].join(', ')

export const formatPlace = (line: Line, bikeName: (gearId: number) => string): string =>
  [partOf(line), bikesOf(line, bikeName)].filter((name) => name !== null).join(', ')
