import { atom } from 'jotai'

import type { Day } from '../../lib/days.ts'
import { quote } from '../../lib/formats.ts'
import { attempt, mutate } from '../journal/mutate.ts'
import type { NewTask, ServiceEvent, Task, TaskValues } from './api.ts'
import type { Item } from '../entries/fields.ts'
import type { TaskOwner } from './open-dialog.ts'

export type EventValues = {
  done_on: Day
  /** Null if it was free. */
  cost: number | null
  note: string | null
}

export type Correction = {
  /** The values that the form showed. */
  shown: EventValues
  /** The values that the owner has changed. */
  wanted: Partial<EventValues>
  /** Ids of tasks that were done at the same time. */
  also_done: number[]
  /** Whether what was done together on the others of its group changes, too. */
  all?: boolean
}

export type CountFrom = 'today' | 'installed'

type TaskStart = {
  last_done: Day | null
  /** Where the task counts from if it was never done. */
  countFrom: CountFrom
  /** The parts that it is added to, as one group. Empty: only to the owner. */
  parts: readonly number[]
}

/** Returns the command's arguments. */
export function newTaskOf(
  owner: TaskOwner,
  values: TaskValues,
  { last_done, countFrom, parts }: TaskStart,
): NewTask {
  const own = 'part_id' in owner ? { part_id: owner.part_id } : { gear_id: owner.gear_id }
  const isOwn = parts.length === 0 || (parts.length === 1 && parts[0] === own.part_id)
  return {
    task: { ...values, ...(isOwn && own) },
    last_done: values.once ? null : last_done,
    ...(!isOwn && { parts: [...parts] }),
    ...(countFrom === 'installed' && !values.once && { count_from: countFrom }),
  }
}

/** `siblings`: the entries of the parts that it may be added to. */
type NewStart = TaskStart & { siblings: readonly Item[] }

/** Adds a task and offers Undo. Rejects if the write fails. */
export const addTaskAtom = atom(
  null,
  (get, set, owner: TaskOwner, values: TaskValues, { siblings, ...start }: NewStart, key: string) => {
    const subject = quote(values.name)
    return mutate(
      get,
      set,
      'add_task',
      newTaskOf(owner, values, start),
      {
        subject,
        done: 'added',
        items: owner.part ? [...siblings, owner.part] : [],
        message: ({ answer: { tasks, successor } }) =>
          tasks.length > 1
            ? `${subject} was added to ${tasks.length} parts.`
            : successor === null
              ? `${subject} was added.`
              : `${subject} was added to ${quote(successor.name)}, which has replaced ${quote(owner.name)}.`,
      },
      key,
    )
  },
)

type TaskChange = { shown: TaskValues; wanted: Partial<TaskValues> }

/** Saves the wanted values of a task that was shown, and offers Undo. Rejects if the write fails. */
export const editTaskAtom = atom(
  null,
  (get, set, { id }: Task, { shown, wanted }: TaskChange, all: boolean, key: string) => {
    const edit = { relation: 'service_tasks', row_id: id, shown, wanted, ...(all && { all }) } as const
    const subject = quote(wanted.name ?? shown.name)
    return mutate(get, set, 'edit_row', edit, { subject, done: 'saved' }, key)
  },
)

export const removeTaskAtom = atom(null, (get, set, { id, name }: Pick<Task, 'id' | 'name'>, all?: boolean) =>
  attempt(
    get,
    set,
    'remove_task',
    { task_id: id, ...(all && { all }) },
    { subject: quote(name), done: 'removed' },
  ),
)

export const removeEventAtom = atom(
  null,
  (get, set, { id, name }: Pick<ServiceEvent, 'id' | 'name'>, all?: boolean) =>
    attempt(
      get,
      set,
      'remove_event',
      { event_id: id, ...(all && { all }) },
      { subject: quote(name), done: 'removed' },
    ),
)

/** Corrects an event and offers Undo. Rejects if the write fails. */
export const correctEventAtom = atom(
  null,
  (
    get,
    set,
    { id, name }: Pick<ServiceEvent, 'id' | 'name'>,
    { all = false, ...correction }: Correction,
    key: string,
  ) =>
    mutate(
      get,
      set,
      'correct_event',
      { event_id: id, ...correction, ...(all && { all }) },
      { subject: quote(name), done: 'saved' },
      key,
    ),
)
