import type { Tables } from '../../supabase/database.types.ts'
import { type Earlier, NO_EARLIER, plainUsage, wallClock, type UsageItem, type UsageRide } from './usage.ts'

export type ServiceItem = UsageItem & Pick<Tables<'maintenance'>, 'part_id'>
export type ServiceTask = Omit<Tables<'service_tasks'>, 'name' | 'kind'>
export type ServiceEvent = Pick<
  Tables<'service_events'>,
  'id' | 'task_id' | 'part_id' | 'done_at' | 'pressed_at'
>

export type ServiceRide = UsageRide & Pick<Tables<'rides'>, 'is_stationary'>

interface Log {
  rides: ServiceRide[]
  items: ServiceItem[]
  events: ServiceEvent[]
  parts: (Earlier & Pick<Tables<'parts'>, 'id'>)[]
  /** The retired bike. */
  retired: number | null
}

export interface Now {
  instant: number
  clock: string
}

const DAY = 86_400_000
const MINUTE = 60_000
const AXES = ['distance', 'moving_time', 'days'] as const

/** Calculates a task's expected state. Returns null if the part has no item. */
export function plainService(task: ServiceTask, log: Log, now: Now) {
  const items = log.items.filter((item) => task.part_id !== null && item.part_id === task.part_id)
  const installed = items.filter(({ dateStarted, dateEnded }) => dateStarted !== dateEnded)
  // A part that was stored on the day it was installed has only items that look like work.
  const periods = installed.length > 0 ? installed : items
  if (task.part_id !== null && periods.length === 0) return null
  if (task.once && log.events.some(({ task_id }) => task_id === task.id)) return null
  const inOrder = periods.toSorted((a, b) => (a.dateStarted < b.dateStarted ? -1 : 1))
  const hasStarted = ({ dateStarted }: ServiceItem) => dateStarted.slice(0, 10) <= now.clock.slice(0, 10)
  const current = inOrder.findLast(hasStarted) ?? inOrder[0]
  const lastDone = lastDoneOf(task, log, now)
  const installed_at = startOfUse({ ...task, gear_id: null }, periods, log, now)
  const isLater = task.counted_from !== null && (installed_at === null || task.counted_from > installed_at)
  const chosen = lastDone ?? (isLater ? task.counted_from : null)
  const baseline = chosen ?? startOfUse(task, periods, log, now)
  const part = log.parts.find(({ id }) => id === task.part_id)
  const { earlier_distance, earlier_moving_time } = (chosen === null && part) || NO_EARLIER
  const since = usedSince(task, periods, baseline, log, now)
  const used = {
    distance: since.distance + Math.round((earlier_distance ?? 0) * 1000),
    moving_time: since.moving_time + (earlier_moving_time ?? 0),
    days: daysSince(baseline, now),
  }
  // In millimeters, so distances are exact.
  const every = {
    distance: task.every_distance === null ? null : task.every_distance * 1000,
    moving_time: task.every_moving_time,
    days: task.every_days,
  }
  const byDay = limitOfDay(task, baseline, used.days, now)
  const limits = AXES.flatMap((axis) => {
    const limit = every[axis]
    if (axis === 'days' && byDay) return [byDay]
    if (limit === null) return []
    // Divide meters, as PostgreSQL does, because fractions must be equal to the last bit.
    const scale = axis === 'distance' ? 1000 : 1
    return [{ axis, used: used[axis], limit, fraction: used[axis] / scale / (limit / scale) }]
  })
  const decisive = limits.reduce((most, limit) => (limit.fraction > most.fraction ? limit : most))
  const hasEnded = ({ dateEnded }: ServiceItem) => dateEnded !== null && dateEnded <= now.clock
  const gear_id = current?.bikeId ?? task.gear_id
  const is_retired = gear_id === log.retired
  const isPaused = is_retired || (current !== undefined && (hasEnded(current) || !hasStarted(current)))
  return {
    id: task.id,
    gear_id,
    is_retired,
    item_id: current?.id ?? null,
    used,
    earlier_distance,
    earlier_moving_time,
    fraction: decisive.fraction,
    axis: decisive.axis,
    daysLeft: byDay ? byDay.left : every.days === null ? null : every.days - daysBetween(baseline, now),
    state: isPaused ? 'paused' : isSnoozed(task, lastDone, used.distance, now) ? 'snoozed' : stateOf(limits),
  }
}

/** Calculates the limit of a task that is due on a day. Nothing is used before the day if it counts from later. */
function limitOfDay({ due_on }: ServiceTask, baseline: string | null, used: number, now: Now) {
  if (due_on === null) return null
  const left = (midnight(due_on) - midnight(now.clock)) / DAY
  const span = baseline === null ? 0 : (midnight(due_on) - midnight(baseline)) / DAY
  const share = span > 0 ? used / span : 0
  const fraction = left > 0 ? share : Math.max(1, share)
  // In shares of a day, so the task is overdue on the next day.
  return {
    axis: 'days' as const,
    used: left < 0 ? 1.001 : fraction >= 1 ? 1 : fraction,
    limit: 1,
    fraction,
    left,
  }
}

interface Interval {
  distance: number
  moving_time: number
  days: number
}

/** Calculates what `private.service_intervals` returns for a task's events, in the order of their ids. */
export function plainIntervals(task: ServiceTask, log: Log, now: Now) {
  const events = log.events.filter((event) => event.task_id === task.id)
  const places = Map.groupBy(events, ({ part_id }) => part_id)
  const rows = [...places].flatMap(([part_id, done]) => {
    const inOrder = done.toSorted(
      (a, b) => (a.done_at < b.done_at ? -1 : Number(a.done_at > b.done_at)) || a.id - b.id,
    )
    const items = log.items.filter((item) => part_id !== null && item.part_id === part_id)
    const since = inOrder.map((event, index) => {
      const last = inOrder[index - 1]
      return last ? betweenServices(task, items, last.done_at, event.done_at, log, now) : null
    })
    const known = since.filter((interval) => interval !== null)
    const median = known.length > 1 ? medianOf(known) : null
    return inOrder.map(({ id }, index) => ({ event_id: id, since_last: since[index]!, median }))
  })
  return rows.toSorted((a, b) => a.event_id - b.event_id)
}

function betweenServices(
  task: ServiceTask,
  items: ServiceItem[],
  from: string,
  to: string,
  log: Log,
  now: Now,
) {
  const rides = log.rides.filter((ride) => startOf(ride, now).every((start) => start < to))
  const { distance, moving_time } = usedSince(task, items, from, { ...log, rides }, now)
  return { distance: distance / 1000, moving_time, days: (midnight(to) - midnight(from)) / DAY }
}

function medianOf(intervals: Interval[]): Interval {
  const middle = (axis: keyof Interval) => {
    const values = intervals.map((interval) => interval[axis]).toSorted((a, b) => a - b)
    const half = values.length / 2
    return Math.round((values[Math.ceil(half) - 1]! + values[Math.floor(half)]!) / 2)
  }
  return { distance: middle('distance'), moving_time: middle('moving_time'), days: middle('days') }
}

function lastDoneOf(task: ServiceTask, { events }: Log, now: Now) {
  const offset = Math.round((Date.parse(`${now.clock}Z`) - now.instant) / MINUTE) * MINUTE
  const instantOf = ({ done_at, pressed_at }: ServiceEvent) =>
    pressed_at === null ? Date.parse(`${done_at}Z`) - offset : Date.parse(pressed_at)
  const done = events.filter((event) => event.task_id === task.id && event.part_id === task.part_id)
  return done.toSorted((a, b) => instantOf(a) - instantOf(b) || a.id - b.id).at(-1)?.done_at ?? null
}

function startOfUse(task: ServiceTask, periods: ServiceItem[], { rides }: Log, now: Now) {
  const starts =
    task.part_id === null
      ? rides.filter((ride) => ride.gear_id === task.gear_id).flatMap((ride) => startOf(ride, now))
      : periods.map((period) => period.dateStarted)
  return starts.length > 0 ? starts.reduce((a, b) => (a < b ? a : b)) : null
}

function startOf(ride: UsageRide, now: Now) {
  const instant = ride.departed_at ?? ride.created_at
  return instant !== null && Date.parse(instant) <= now.instant ? [wallClock(instant, ride.time_zone)] : []
}

function usedSince(task: ServiceTask, periods: ServiceItem[], baseline: string | null, log: Log, now: Now) {
  const used = { distance: 0, moving_time: 0 }
  const everything = { id: 0, bikeId: task.gear_id!, dateStarted: '', dateEnded: null }
  for (const period of task.part_id === null ? [everything] : periods) {
    for (const ride of log.rides) {
      const start = startOf(ride, now)[0]
      if (start === undefined || baseline === null || start < baseline) continue
      if (task.outdoor_only && ride.is_stationary) continue
      const usage = plainUsage(period, [ride], now.instant)
      used.distance += usage.distance
      used.moving_time += usage.moving_time
    }
  }
  return used
}

const midnight = (wallClock: string) => Date.parse(`${wallClock.slice(0, 10)}T00:00:00Z`)

const daysBetween = (baseline: string | null, now: Now) =>
  baseline === null ? 0 : (midnight(now.clock) - midnight(baseline)) / DAY

const daysSince = (baseline: string | null, now: Now) => Math.max(0, daysBetween(baseline, now))

function isSnoozed(task: ServiceTask, lastDone: string | null, distance: number, now: Now) {
  if (lastDone !== null && task.snoozed_from !== lastDone) return false
  if (task.snoozed_part !== null && task.snoozed_part !== task.part_id) return false
  const isBeforeDay = task.snoozed_until !== null && now.clock.slice(0, 10) < task.snoozed_until
  return isBeforeDay || (task.snoozed_distance !== null && distance < task.snoozed_distance * 1000)
}

function stateOf(limits: { axis: string; used: number; limit: number }[]) {
  const hasUsed = (percent: number) => limits.some(({ used, limit }) => used * 100 >= limit * percent)
  const isOver = limits.some(({ axis, used, limit }) =>
    axis === 'days' ? used > limit : used * 100 >= limit * 110,
  )
  if (isOver) return 'overdue'
  return hasUsed(100) ? 'due' : hasUsed(90) ? 'soon' : 'ok'
}
