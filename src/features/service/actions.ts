import { atom, type Getter, type Setter } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote, shorten } from '../../lib/formats.ts'
import { touchAtom } from '../../lib/touch.ts'
import { failureMessage } from '../../lib/writes.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { openItemAtom } from '../log-view/open-item.ts'
import { logAtom } from '../items/log.ts'
import { requestReplaceAtom } from '../parts/replace.ts'
import { offerUndo } from '../trash/undo.ts'
import { type Done, markDone, type Snooze, snoozeTask, type Task } from './api.ts'
import { shownTasksAtom, tasksAtom } from './atoms.ts'
import { serviceDialogAtom } from './dialogs.ts'
import { holdAtom } from './held-rows.ts'
import { formatPlace } from './task-messages.ts'

/** Tells what a change to a bike's tasks touches, with the log if a cost changed, and waits for the log. */
export const reloadAtom = atom(null, async (_get, set, bike: number, isPaid = false) => {
  const costs = { of: 'log', bike, columns: ['cost', 'service'] } as const
  set(touchAtom, [{ of: 'tasks', bike }, ...(isPaid ? [costs] : [])])
  await set(logAtom(bike).settleAtom)
})

/** Ids of the tasks being marked done, so a second press does nothing. */
const busy = new Set<number>()

/**
 * Marks a task done now, and offers Undo and Edit. If the part is to be replaced, opens its replace line instead. Does
 * nothing while the task is already being marked done.
 */
export const doneAtom = atom(null, async (get, set, task: Task) => {
  if (task.kind === 'replace' && task.item_id !== null) {
    set(startReplaceAtom, task)
    return
  }
  if (busy.has(task.id)) return
  busy.add(task.id)
  try {
    offerUndoAndEdit(get, set, task, await markDone(get(backendAtom).client, task))
    await set(reloadAtom, task.gear_id)
  } catch (cause) {
    notifyFailure(failureMessage(quote(task.name), 'marked done', cause))
    await set(reloadAtom, task.gear_id)
  } finally {
    busy.delete(task.id)
  }
})

function hold(get: Getter, set: Setter, { id, state }: Task, undo: (() => void) | null): void {
  const place = get(shownTasksAtom).findIndex((task) => task.id === id)
  set(holdAtom, { id, place, was: state, undo })
}

function offerUndoAndEdit(get: Getter, set: Setter, task: Task, { id: eventId, change }: Done): void {
  const edit = () => {
    const all = get(tasksAtom)
    const tasks = all.state === 'ready' ? all.data : []
    const others = tasks.filter(
      ({ id, kind, part_id, gear_id, item_id }) =>
        id !== task.id &&
        kind !== 'replace' &&
        part_id === task.part_id &&
        (item_id !== null || gear_id === task.gear_id),
    )
    set(serviceDialogAtom, {
      kind: 'event',
      event: {
        id: eventId,
        task_id: task.id,
        name: task.name,
        done_at: get(todayAtom),
        note: null,
        cost: null,
      },
      gearId: task.gear_id,
      others,
    })
  }
  const after = () => {
    // Stays until the tasks are read again, so the focus has a row to stay in.
    hold(get, set, task, null)
    return set(reloadAtom, task.gear_id)
  }
  const message = `${shorten(task.name)} done: ${formatPlace(task, get(bikeNameAtom))}`
  const undoable = { change, of: quote(task.name), after }
  hold(get, set, task, offerUndo(get, set, message, undoable, { label: 'Edit', run: edit }))
}

const startReplaceAtom = atom(null, (_get, set, { gear_id, item_id }: Task) => {
  set(addressAtom, { set: { bike: String(gear_id), garage: null, tab: null }, by: 'push' })
  set(openItemAtom, item_id)
  if (item_id !== null) set(requestReplaceAtom, { id: item_id })
})

/** Snoozes a task or ends its snooze, and offers Undo. Rejects if the write fails. */
export const snoozeAtom = atom(null, async (get, set, task: Task, snooze: Snooze) => {
  const change = await snoozeTask(get(backendAtom).client, task, snooze)
  hold(get, set, task, null)
  const done = snooze ? 'snoozed' : 'no longer snoozed'
  const message = `${shorten(task.name)} ${done}: ${formatPlace(task, get(bikeNameAtom))}`
  const after = () => set(reloadAtom, task.gear_id)
  offerUndo(get, set, message, { change, of: quote(task.name), after })
  await after()
})

export const endSnoozeAtom = atom(null, async (_get, set, task: Task) => {
  try {
    await set(snoozeAtom, task, null)
  } catch (cause) {
    notifyFailure(failureMessage(quote(task.name), 'changed', cause))
  }
})
