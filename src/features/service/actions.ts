import { atom, type Getter, type Setter } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote, shorten } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { openReplaceFormAtom } from '../entries/open-item.ts'
import { attempt, mutate } from '../journal/mutate.ts'
import type { SnoozeEnd, Task } from './api.ts'
import { shownTasksAtom, tasksAtom } from './atoms.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import { type AfterDone, holdAtom } from './held-rows.ts'
import { formatPlace } from './task-messages.ts'

/** Ids of the tasks being marked done, so a second press does nothing. */
const busy = new Set<number>()

const isReplaced = ({ kind, item_id }: Task) => kind === 'replace' && item_id !== null

/** Returns the command that Done runs. */
export const doneCommandOf = (task: Task) => (isReplaced(task) ? 'change_parts' : 'mark_done')

/**
 * Marks a task done now, and offers Undo and Edit. If the part is to be replaced, opens the form for its replacement instead. Does
 * nothing while the task is already being marked done.
 */
export const doneAtom = atom(null, async (get, set, task: Task) => {
  if (isReplaced(task)) {
    set(startReplaceAtom, task)
    return
  }
  if (busy.has(task.id)) return
  busy.add(task.id)
  const seen = task.newest_event === null ? {} : { seen: task.newest_event }
  await attempt(
    get,
    set,
    'mark_done',
    { task_id: task.id, ...seen },
    {
      subject: quote(task.name),
      done: 'marked done',
      message: `${shorten(task.name)} done: ${formatPlace(task, get(bikeNameAtom))}`,
      actions: ({ answer }) => [{ label: 'Edit', run: () => set(editDoneAtom, task, answer.id) }],
      onWritten: ({ answer }, undo) =>
        hold(get, set, task, undo && { undo, edit: () => set(editDoneAtom, task, answer.id) }),
      // Stays until the tasks are read again, so the focus has a row to stay in.
      onUndone: () => hold(get, set, task, null),
    },
  )
  busy.delete(task.id)
})

function hold(get: Getter, set: Setter, { id, state }: Task, after: AfterDone | null): void {
  const place = get(shownTasksAtom).findIndex((task) => task.id === id)
  set(holdAtom, { id, place, was: state, after })
}

/** Opens the event of a task that was just done, with the other tasks that may have been done, too. */
const editDoneAtom = atom(null, (get, set, task: Task, id: number) => {
  const all = get(tasksAtom)
  const tasks = all.state === 'ready' ? all.data : []
  const others = tasks.filter(
    (other) =>
      other.id !== task.id &&
      other.kind !== 'replace' &&
      other.part_id === task.part_id &&
      (other.item_id !== null || other.gear_id === task.gear_id),
  )
  const event = {
    id,
    task_id: task.id,
    name: task.name,
    done_at: get(todayAtom),
    note: null,
    cost: null,
  }
  set(serviceDialogAtom, { kind: 'event', event, others, isNew: true })
})

const startReplaceAtom = atom(null, (_get, set, { gear_id, item_id }: Task) => {
  set(addressAtom, { set: { bike: String(gear_id), garage: null, tab: null }, by: 'push' })
  if (item_id !== null) set(openReplaceFormAtom, item_id)
})

/** Snoozes a task, and offers Undo. Rejects if the write fails. */
export const snoozeAtom = atom(null, (get, set, task: Task, end: SnoozeEnd, key: string) =>
  mutate(get, set, 'snooze', { task_id: task.id, ...end }, snoozed(get, set, task, 'snoozed'), key),
)

export const endSnoozeAtom = atom(null, (get, set, task: Task) =>
  attempt(get, set, 'snooze', { task_id: task.id }, snoozed(get, set, task, 'no longer snoozed')),
)

const snoozed = (get: Getter, set: Setter, task: Task, done: string) => ({
  subject: quote(task.name),
  done: 'changed',
  message: `${shorten(task.name)} ${done}: ${formatPlace(task, get(bikeNameAtom))}`,
  onWritten: () => hold(get, set, task, null),
})
