import { atom, type Getter, type Setter } from 'jotai'

import type { WriteInput, Written } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { addressAtom } from '../../lib/address.ts'
import type { Day } from '../../lib/days.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote, shorten } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { openItemFormAtom } from '../entries/open-item.ts'
import { attempt, mutate, type Outcome } from '../journal/mutate.ts'
import { alsoDoneOf, isAwaited } from './also-done.ts'
import type { Line, SnoozeEnd, Task } from './api.ts'
import { knownTasksAtom, shownTasksAtom } from './atoms.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import { type AfterDone, holdAtom } from './held-rows.ts'
import { formatPlace } from './task-messages.ts'
import { upcomingDay } from './upcoming.ts'

/** Ids of the lines being marked done, so a second press does nothing. */
const busy = new Set<number>()

/** Returns whether Done of a task opens the form that replaces its part. */
export const isReplaced = ({ kind, item_id }: Task) => kind === 'replace' && item_id !== null

/** Returns the command that Done runs. */
export const doneCommandOf = (task: Task) => (isReplaced(task) ? 'change_parts' : 'mark_done')

/** Says when a line's tasks were done, and what else is known. By default, they were done now. */
export type Done = Partial<
  Pick<WriteInput<'mark_done'>, 'done_on' | 'note' | 'cost' | 'value' | 'reading' | 'tool'>
> & {
  /** Ids of tasks outside of the line. */
  also_done?: readonly number[]
}

/**
 * Marks the tasks of a line done now, and offers Undo and Edit. Opens a form instead if the part is to be replaced, or if there is
 * something to choose. Does nothing while the line is already being marked done.
 */
export const doneAtom = atom(null, async (get, set, line: Line) => {
  const { task } = line
  const { gear_id, item_id } = task
  if (isReplaced(task) && item_id !== null) set(openFormOfAtom, { gear_id, item_id }, 'replace')
  else if (task.measured !== null || isAwaited(line, get(knownTasksAtom))) {
    set(serviceDialogAtom, { kind: 'done', line })
  } else await set(doneOnAtom, line, null)
})

/** Marks the tasks of a line done, on a day or now, without asking. */
export const doneOnAtom = atom(null, async (get, set, line: Line, day: Day | null) => {
  const id = lineIdOf(line.task)
  if (busy.has(id)) return
  busy.add(id)
  const { input, outcome } = markDone(get, set, line, day === null ? {} : { done_on: day })
  await attempt(get, set, 'mark_done', input, outcome)
  busy.delete(id)
})

/** Marks the tasks of a line done as a form says. Rejects if the write fails. */
export const saveDoneAtom = atom(null, (get, set, line: Line, done: Done, key: string) => {
  const { input, outcome } = markDone(get, set, line, done)
  return mutate(get, set, 'mark_done', input, outcome, key)
})

function markDone(get: Getter, set: Setter, line: Line, { also_done = [], ...done }: Done) {
  const { task, others } = line
  // Ids only grow, so the newest event that was shown is the newest of all of them.
  const seen = Math.max(...[task, ...others].map(({ newest_event }) => newest_event ?? 0))
  const also = [...others.map(({ id }) => id), ...also_done]
  const input = {
    task_id: task.id,
    ...done,
    ...(seen > 0 && { seen }),
    ...(also.length > 0 && { also_done: also }),
  }
  const edit = ({ answer }: Written<'mark_done'>) => set(editDoneAtom, line, answer.id, done)
  const outcome: Outcome<'mark_done'> = {
    subject: quote(task.name),
    done: 'marked done',
    message: `${shorten(task.name)} done: ${formatPlace(line, get(bikeNameAtom))}`,
    actions: (written) => [{ label: 'Edit', run: () => edit(written) }],
    onWritten: (written, undo) => hold(get, set, task, undo && { undo, edit: () => edit(written) }),
    // Stays until the tasks are read again, so the focus has a row to stay in.
    onUndone: () => hold(get, set, task, null),
  }
  return { input, outcome }
}

function hold(get: Getter, set: Setter, task: Task, after: AfterDone | null): void {
  const id = lineIdOf(task)
  const place = get(shownTasksAtom).findIndex((one) => lineIdOf(one) === id)
  set(holdAtom, { id, place, was: task.state, day: upcomingDay(task), after })
}

/** Opens the event of a line that was just done, with the other tasks that may have been done, too. */
const editDoneAtom = atom(null, (get, set, line: Line, id: number, done: Done) => {
  const { task, others } = line
  const event = {
    id,
    task_id: task.id,
    name: task.name,
    done_at: done.done_on ?? get(todayAtom),
    note: done.note ?? null,
    cost: done.cost ?? null,
  }
  set(serviceDialogAtom, {
    kind: 'event',
    event,
    others: alsoDoneOf(line, get(knownTasksAtom)),
    together: others.length + 1,
    isNew: true,
  })
})

/** Opens a form of an entry on the page of its bike. */
export const openFormOfAtom = atom(
  null,
  (_get, set, { gear_id, item_id }: { gear_id: number; item_id: number }, form: 'replace' | 'measure') => {
    set(addressAtom, { set: { bike: String(gear_id), garage: null, tab: null }, by: 'push' })
    set(openItemFormAtom, item_id, form)
  },
)

/** Snoozes the tasks of a line, and offers Undo. Rejects if the write fails. */
export const snoozeAtom = atom(null, (get, set, line: Line, end: SnoozeEnd, key: string) =>
  mutate(get, set, 'snooze', { ...idsOf(line), ...end }, snoozed(get, set, line, 'snoozed'), key),
)

export const endSnoozeAtom = atom(null, (get, set, line: Line) =>
  attempt(get, set, 'snooze', idsOf(line), snoozed(get, set, line, 'no longer snoozed')),
)

const idsOf = ({ task, others }: Line) => ({
  task_id: task.id,
  ...(others.length > 0 && { also: others.map(({ id }) => id) }),
})

const snoozed = (get: Getter, set: Setter, line: Line, done: string) => ({
  subject: quote(line.task.name),
  done: 'changed',
  message: `${shorten(line.task.name)} ${done}: ${formatPlace(line, get(bikeNameAtom))}`,
  onWritten: () => hold(get, set, line.task, null),
})
