import { atom, type Getter, type Setter } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure, notifyWithAction } from '../../components/toasts.tsx'
import { attempt, type Attempt, notifyWithUndo, undoOf } from '../../components/undo.ts'
import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { AppError, messageFor, SavedEarlier, toAppError } from '../../lib/errors.ts'
import { quote, shorten } from '../../lib/formats.ts'
import { KEYS, type ResourceKey } from '../../lib/resource-keys.ts'
import { staleAtom } from '../../lib/stale.ts'
import { failureMessage, newUuid, type Request, savedEarlierMessage } from '../../lib/writes.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { openItemAtom } from '../log-view/open-item.ts'
import { logAtom } from '../items/log.ts'
import { requestReplaceAtom } from '../parts/replace.ts'
import {
  addTask,
  changeTask,
  type Correction,
  correctEvent,
  hasCost,
  markDone,
  type Removed,
  removeEvent,
  removeTask,
  restore,
  type ServiceEvent,
  type Task,
  type TaskValues,
} from './api.ts'
import { shownTasksAtom, tasksAtom } from './atoms.ts'
import { serviceDialogAtom, type TaskOwner } from './dialogs.ts'
import { holdAtom, releaseAtom } from './held-rows.ts'
import { formatPlace } from './task-messages.ts'

/** Awaits a form's change. Resolves to an error message, or null on success. `describe` formats values saved earlier. */
export async function save(
  change: Promise<void>,
  describe: (stored: unknown) => string = () => '',
): Promise<string | null> {
  try {
    await change
    return null
  } catch (cause) {
    if (cause instanceof SavedEarlier) return savedEarlierMessage(describe(cause.stored))
    return messageFor(toAppError(cause))
  }
}

const keysOfTasks = (gearId: number): ResourceKey[] => [KEYS.tasks, KEYS.services(), KEYS.timeline(gearId)]

/** Resources that show a service's cost, which is stored as a log entry. */
const keysOfCost = (gearId: number): ResourceKey[] => [
  KEYS.log(gearId),
  KEYS.usage(gearId),
  KEYS.items,
  KEYS.trash,
  KEYS.part(),
  KEYS.stored,
  KEYS.lifetimes,
  KEYS.spending,
  KEYS.garage,
]

/** Reloads everything that a change to a bike's tasks affects, and waits for the log if a cost changed. */
const reloadAtom = atom(null, async (_get, set, gearId: number, isPaid = false) => {
  set(staleAtom, [...keysOfTasks(gearId), ...(isPaid ? keysOfCost(gearId) : [])])
  await set(logAtom(gearId), 'settle')
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
    const eventId = await markDone(get(backendAtom).client, task)
    offerUndo(get, set, task, eventId)
    await set(reloadAtom, task.gear_id)
  } catch (cause) {
    notifyFailure(failureMessage(quote(task.name), 'marked done', cause))
    set(staleAtom, [KEYS.tasks])
  } finally {
    busy.delete(task.id)
  }
})

function hold(get: Getter, set: Setter, { id, state }: Task, undo: (() => void) | null): void {
  const place = get(shownTasksAtom).findIndex((task) => task.id === id)
  set(holdAtom, { id, place, was: state, undo })
}

function offerUndo(get: Getter, set: Setter, task: Task, eventId: number): void {
  const undo = () => {
    close()
    set(releaseAtom, task.id)
    void attempt(
      set,
      undoing(set, task, () => removeEvent(get(backendAtom).client, eventId)),
    )
  }
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
  hold(get, set, task, undo)
  const close = notifyWithAction(`${shorten(task.name)} done: ${formatPlace(task, get(bikeNameAtom))}`, [
    { label: 'Undo', run: undo },
    { label: 'Edit', run: edit },
  ])
}

const startReplaceAtom = atom(null, (_get, set, { gear_id, item_id }: Task) => {
  set(addressAtom, { set: { bike: String(gear_id), garage: null, tab: null }, by: 'push' })
  set(openItemAtom, item_id)
  if (item_id !== null) set(requestReplaceAtom, { id: item_id })
})

type Changed = Pick<Task, 'name' | 'gear_id'>

/** Creates a change's Undo action. `write` resolves to the removed or restored rows, which may have a cost. */
function undoing(set: Setter, { name, gear_id }: Changed, write: () => Promise<Removed | void>): Attempt {
  let isPaid = true
  const undo = async () => (isPaid = hasCost(await write()))
  return undoOf(quote(name), undo, () => set(reloadAtom, gear_id, isPaid))
}

/** The end of a snooze: a day, or a distance in meters from now. Null ends the snooze. */
export type Snooze = { until: string } | { distance: number } | null

/** Snoozes a task or ends its snooze, and offers Undo. Rejects if the write fails. */
export const snoozeAtom = atom(null, async (get, set, task: Task, snooze: Snooze) => {
  const { client } = get(backendAtom)
  const { snoozed_until, snoozed_distance, baseline } = task
  const isSnoozed = task.state === 'snoozed'
  const change = {
    snoozed_until: snooze && 'until' in snooze ? snooze.until : null,
    snoozed_distance: snooze && 'distance' in snooze ? task.used.distance + snooze.distance : null,
    snoozed_from: snooze && baseline,
    snoozed_part: null,
  }
  await changeTask(client, task.id, change)
  const before = { snoozed_until, snoozed_distance, snoozed_from: isSnoozed ? baseline : null }
  hold(get, set, task, null)
  const undo = undoing(set, task, () => changeTask(client, task.id, before))
  const done = snooze ? 'snoozed' : 'no longer snoozed'
  notifyWithUndo(set, `${shorten(task.name)} ${done}: ${formatPlace(task, get(bikeNameAtom))}`, undo)
  await set(reloadAtom, task.gear_id)
})

/** Adds a task. Rejects if the write fails. */
export const addTaskAtom = atom(
  null,
  async (get, set, owner: TaskOwner, gearId: number, { last_done, ...task }: NewTask, request: Request) => {
    const on = 'part_id' in owner ? { part_id: owner.part_id } : { gear_id: owner.gear_id }
    try {
      await addTask(get(backendAtom).client, { ...task, ...on }, last_done, request)
    } catch (cause) {
      // An earlier attempt may have saved different values.
      void set(reloadAtom, gearId)
      throw cause
    }
    set(announceAtom, `${quote(task.name)} was added.`)
    await set(reloadAtom, gearId)
  },
)

type NewTask = TaskValues & { last_done: string | null }

/** Changes a task. Rejects if the write fails. */
export const editTaskAtom = atom(null, async (get, set, task: Task, values: TaskValues) => {
  await changeTask(get(backendAtom).client, task.id, values)
  set(announceAtom, `${quote(task.name)} was saved.`)
  await set(reloadAtom, task.gear_id)
})

export const removeTaskAtom = atom(null, (get, set, task: Task) => {
  const key = newUuid()
  return remove(get, set, task, () => removeTask(get(backendAtom).client, task.id, key))
})

export const removeEventAtom = atom(
  null,
  (get, set, { id, name }: Pick<ServiceEvent, 'id' | 'name'>, gear_id: number) => {
    const key = newUuid()
    return remove(get, set, { name, gear_id }, () => removeEvent(get(backendAtom).client, id, key))
  },
)

/** Offers Undo even if only a retry receives the removed rows. */
function remove(get: Getter, set: Setter, changed: Changed, write: () => Promise<Removed>): Promise<void> {
  let isPaid = true
  return attempt(set, {
    async write() {
      const removed = await write()
      isPaid = hasCost(removed)
      if (removed === null) return
      const undo = undoing(set, changed, async () => {
        await restore(get(backendAtom).client, removed)
        return removed
      })
      notifyWithUndo(set, `${quote(changed.name)} was removed.`, undo)
    },
    subject: quote(changed.name),
    done: 'removed',
    announcement: '',
    after: () => set(reloadAtom, changed.gear_id, isPaid),
  })
}

/** Corrects an event. Rejects if the write fails. */
export const correctEventAtom = atom(
  null,
  async (
    get,
    set,
    { id, name, cost }: Pick<ServiceEvent, 'id' | 'name' | 'cost'>,
    gearId: number,
    correction: Correction,
  ) => {
    const isStored = await correctEvent(get(backendAtom).client, id, correction)
    if (isStored) set(announceAtom, `${quote(name)} was saved.`)
    else notifyFailure(failureMessage(quote(name), 'saved', new AppError('RMT22', 'Removed elsewhere')))
    await set(reloadAtom, gearId, cost !== null || correction.cost !== null)
  },
)
