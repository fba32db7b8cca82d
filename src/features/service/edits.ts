import { atom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyDone } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { quote } from '../../lib/formats.ts'
import { editRow, type Request } from '../../lib/writes.ts'
import { attempt } from '../trash/mutate.ts'
import { reloadAtom } from './actions.ts'
import type { ServiceEvent, Task, TaskValues } from './api.ts'
import type { TaskOwner } from './dialogs.ts'
import { addTask, type Correction, correctEvent } from './edit-api.ts'

/** Awaits a form's change. Resolves to an error message, or null on success. `describe` explains some errors. */
export async function save(
  change: Promise<unknown>,
  describe: (cause: unknown) => string | null = () => null,
): Promise<string | null> {
  try {
    await change
    return null
  } catch (cause) {
    return describe(cause) ?? messageFor(toAppError(cause))
  }
}

/** Adds a task. Rejects if the write fails. */
export const addTaskAtom = atom(
  null,
  async (get, set, owner: TaskOwner, gearId: number, { last_done, ...task }: NewTask, request: Request) => {
    const on = 'part_id' in owner ? { part_id: owner.part_id } : { gear_id: owner.gear_id }
    let added
    try {
      added = await addTask(get(backendAtom).client, { ...task, ...on }, last_done, request)
    } catch (cause) {
      // An earlier attempt may have saved different values.
      void set(reloadAtom, gearId)
      throw cause
    }
    if (added.successor === null) set(announceAtom, `${quote(task.name)} was added.`)
    else {
      const successor = quote(added.successor.name)
      notifyDone(`${quote(task.name)} was added to ${successor}, which has replaced ${quote(owner.name)}.`)
    }
    await set(reloadAtom, gearId)
  },
)

type NewTask = TaskValues & { last_done: string | null }

/** Saves the wanted values of a task that was shown. Rejects if the write fails. */
export const editTaskAtom = atom(
  null,
  async (get, set, { id, gear_id }: Task, shown: TaskValues, wanted: Partial<TaskValues>) => {
    try {
      await editRow(get(backendAtom).client, 'service_tasks', id, shown, wanted)
    } catch (cause) {
      void set(reloadAtom, gear_id)
      throw cause
    }
    set(announceAtom, `${quote(wanted.name ?? shown.name)} was saved.`)
    await set(reloadAtom, gear_id)
  },
)

export const removeTaskAtom = atom(null, (get, set, { id, name }: Pick<Task, 'id' | 'name'>) =>
  attempt(get, set, 'remove_task', { task_id: id }, { subject: quote(name), done: 'removed' }),
)

export const removeEventAtom = atom(null, (get, set, { id, name }: Pick<ServiceEvent, 'id' | 'name'>) =>
  attempt(get, set, 'remove_event', { event_id: id }, { subject: quote(name), done: 'removed' }),
)

/** Corrects an event. Rejects if the write fails. */
export const correctEventAtom = atom(
  null,
  async (get, set, event: Pick<ServiceEvent, 'id' | 'name'>, gearId: number, correction: Correction) => {
    const { shown, wanted } = correction
    const reload = () => set(reloadAtom, gearId, shown.cost !== null || wanted.cost !== undefined)
    try {
      await correctEvent(get(backendAtom).client, event.id, correction)
    } catch (cause) {
      void reload()
      throw cause
    }
    set(announceAtom, `${quote(event.name)} was saved.`)
    await reload()
  },
)
