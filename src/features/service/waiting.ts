// Screens show this until the changes that wait are saved. Numbers that the tracker computes stay as they were read.
import { byAxis, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
import type { WriteInput } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import type { Known } from '../../lib/resource.ts'
import { rowsOf, type Waiting } from '../../lib/waiting.ts'
import { targetsOf } from '../../lib/waiting-rows.ts'
import type { Item } from '../entries/fields.ts'
import { partsChangeOf } from '../entries/waiting-parts.ts'
import type { Due, Task, TaskValues } from './api.ts'
import { countedFrom, done, edited, progressed, snoozed } from './progress.ts'

type Tasks = readonly Task[]

/** Applies the changes that wait to what is due. Only the tracker knows how a measurement changes a limit. */
export function applyToDue(
  { tasks, limits }: Due,
  changes: readonly Waiting[],
  known: Pick<Known, 'today'>,
): Due {
  const off = new Set(changes.flatMap((change) => partsChangeOf(change).off.map(({ id }) => id)))
  return {
    tasks: applyToTasks(tasks, changes, known),
    limits: limits.filter(({ item_id }) => !off.has(item_id)),
  }
}

/** Applies the changes that wait to service tasks. Those that were done come last. */
export function applyToTasks(
  tasks: Task[],
  changes: readonly Waiting[],
  { today }: Pick<Known, 'today'>,
): Task[] {
  const isDone = new Set(changes.flatMap((change) => doneBy(change).ids))
  const applied = changes
    .reduce<Tasks>((before, change) => afterChange(before, change, today), tasks)
    .filter(({ id, once }) => !(once && isDone.has(id)))
  const names = new Map(applied.map(({ id, name }) => [id, name]))
  const named = (task: Task): Task => {
    const name = task.with_task === null ? undefined : names.get(task.with_task)
    return name === undefined ? task : { ...task, with_task_name: name }
  }
  return applied.map(named).toSorted((a, b) => Number(isDone.has(a.id)) - Number(isDone.has(b.id)))
}

function afterChange(tasks: Tasks, change: Waiting, today: Day): Tasks {
  const { ids, day } = doneBy(change)
  const editedIds = new Set(editedBy(change, tasks))
  const changed = withParts(tasks, change, today).map((task) => {
    if (ids.includes(task.id)) return done(task, day ?? today, today)
    if (change.command === 'edit_row' && editedIds.has(task.id))
      return edited(task, change.input.wanted, today)
    if (change.command === 'edit_row' && targetsOf(change).includes(`maintenance/${task.item_id}`))
      return withNames(task, change.input.wanted)
    return change.command === 'snooze' && snoozedBy(change.input).includes(task.id)
      ? snoozed(task, change.input)
      : task
  })
  if (change.command !== 'add_task') return changed
  const known = new Set(tasks.map(({ id }) => id))
  return [...changed, ...addedBy(change.input, change, tasks, today).filter(({ id }) => !known.has(id))]
}

/** Returns the tasks that a change marks done, and when. */
function doneBy(change: Waiting): { ids: readonly number[]; day?: Day | undefined } {
  switch (change.command) {
    case 'mark_done':
      return { ids: [change.input.task_id, ...(change.input.also_done ?? [])], day: change.input.done_on }
    case 'add_measurement':
      return { ids: change.input.also_done ?? [], day: change.input.measurement['measured_on'] as Day }
    case 'correct_event': {
      const { also_done, wanted, shown } = change.input
      return { ids: also_done, day: (wanted['done_on'] ?? shown['done_on']) as Day }
    }
    default:
      return { ids: [] }
  }
}

/** Applies the edited name and type of a task's part. */
const withNames = (task: Task, { name, type }: { name?: unknown; type?: unknown }): Task => ({
  ...task,
  ...(typeof name === 'string' && { item_name: name }),
  ...(type !== undefined && { item_type: type as string | null }),
})

const snoozedBy = ({ task_id, also = [] }: WriteInput<'snooze'>) => [task_id, ...also]

/** Returns the tasks that a change edits: one, or all of its group. */
function editedBy(change: Waiting, tasks: Tasks): readonly number[] {
  if (change.command !== 'edit_row' || change.input.relation !== 'service_tasks') return []
  const { row_id, all } = change.input
  const group = all ? (tasks.find(({ id }) => id === row_id)?.group ?? null) : null
  return group === null ? [row_id] : tasks.filter((task) => task.group === group).map(({ id }) => id)
}

/** Moves tasks with their parts: to another bike, to storage, or to the part that replaces theirs. */
function withParts(tasks: Tasks, change: Waiting, today: Day): Tasks {
  const { moment, off, on } = partsChangeOf(change)
  if (off.length + on.length === 0) return tasks
  return tasks.flatMap((task): Task[] => {
    const { item_id } = task
    const put = on.find(({ part_of, replaces }) => item_id !== null && (part_of ?? replaces) === item_id)
    if (!put) return off.some(({ id }) => id === item_id) ? [{ ...task, state: 'paused' }] : [task]
    const there = { ...task, ...placeOf(put.item, tasks, today) }
    if (put.replaces === undefined) return [progressed(snoozedStill(there, task), today)]
    if (task.once && task.kind === 'replace') return []
    return [countedFrom({ ...there, last_done: null, newest_event: null }, dayOf(moment), today)]
  })
}

/** A snooze goes on, unless the part isn't on a bike in use. */
const snoozedStill = (there: Task, { state }: Task): Task =>
  there.state === 'ok' && state === 'snoozed' ? { ...there, state } : there

/** Returns what a task says of its part. */
function placeOf({ id, part_id, bikeId, name, type, dateEnded }: Item, tasks: Tasks, today: Day) {
  const is_retired = tasks.some((task) => task.gear_id === bikeId && task.is_retired)
  const isInUse = dateEnded === null || dayOf(dateEnded) > today
  const state = isInUse && !is_retired ? ('ok' as const) : ('paused' as const)
  return { item_id: id, part_id, gear_id: bikeId, item_name: name, item_type: type, is_retired, state }
}

/** Returns the tasks that a change adds, each counted from its day. */
function addedBy(
  { task: given, parts, last_done = null, count_from }: WriteInput<'add_task'>,
  change: Waiting,
  tasks: Tasks,
  today: Day,
): Task[] {
  const values = given as TaskValues & { part_id?: number; gear_id?: number }
  const { name, kind, outdoor_only, once = false, due_on = null, with_task = null, gear_id } = values
  const rows = rowsOf(change)
  const group = rows.length > 1 ? rows[0]!.id : (values.group ?? null)
  const from = last_done ?? (count_from === 'installed' ? null : (count_from ?? today))
  return rows.flatMap(({ id }, index): Task[] => {
    const part = parts?.[index] ?? values.part_id
    const item = (change.items as readonly Item[] | undefined)?.find(({ part_id }) => part_id === part)
    const bike = tasks.find((task) => task.gear_id === gear_id)
    const is_retired = bike?.is_retired ?? false
    const state = is_retired ? ('paused' as const) : ('ok' as const)
    const place = item ? placeOf(item, tasks, today) : { ...NO_PART, gear_id, is_retired, state }
    if (place.gear_id === undefined) return []
    const measured = tasks.find((one) => one.part_id === place.part_id && one.measured)?.measured ?? null
    const shown = { id, name, kind, outdoor_only, once, due_on, with_task, group }
    const task = {
      ...shown,
      ...place,
      every: byAxis((axis) => values[`every_${axis}`]),
      measured: kind === 'check' ? measured : null,
      last_done: last_done && `${last_done}T01:00:00`,
      newest_event: null,
    }
    return [countedFrom({ ...BLANK, ...task } as Task, from, today)]
  })
}

const NO_PART = { item_id: null, part_id: null, item_name: null, item_type: null }

/** What follows from a task's limits, or isn't known yet. */
const BLANK = { ...earlierByAxis(() => null), with_task_name: null }
