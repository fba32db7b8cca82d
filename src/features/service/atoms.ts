import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { type Owner, readExplanation, readHistory, readTasks, type Task } from './api.ts'
import { inPlaceAtom } from './held-rows.ts'
import { byTime } from './likely-dates.ts'
import { isAhead, isDue } from './task-messages.ts'

/** The tasks of all bikes. Also read again at midnight. */
export const tasksAtom = resourceAtom(KEYS.tasks, (get, { signal }) => {
  get(todayAtom)
  return readTasks(get(backendAtom).client, signal)
})

const NONE: readonly Task[] = []

/** The tasks, the first in time first. */
const listAtom = atom((get) => {
  const tasks = get(tasksAtom)
  return tasks.state === 'ready' ? tasks.data.toSorted(byTime) : NONE
})

/** The tasks for lists, where those that were just done stay in place. */
export const shownTasksAtom = atom((get) => get(inPlaceAtom)(get(listAtom)))

/** Whether a bike is ridden. The tasks of retired bikes would stay overdue. */
const isActiveAtom = atom((get) => {
  const bikes = get(bikesAtom)
  const retired = new Set(
    bikes.state === 'ready' ? bikes.data.filter((bike) => bike.is_retired).map((bike) => bike.gear_id) : [],
  )
  return ({ gear_id }: Task) => !retired.has(gear_id)
})

/** The tasks of all bikes except retired ones. */
const activeTasksAtom = atom((get) => get(listAtom).filter(get(isActiveAtom)))

/** The tasks of all bikes except retired ones, for a list. */
export const shownActiveTasksAtom = atom((get) => get(shownTasksAtom).filter(get(isActiveAtom)))

/** How many tasks are due on each bike, by gear_id. Bikes without any are absent. */
export const dueCountsAtom = atom((get) => {
  const counts = new Map<number, number>()
  for (const task of get(activeTasksAtom)) {
    if (isDue(task)) counts.set(task.gear_id, (counts.get(task.gear_id) ?? 0) + 1)
  }
  return counts
})

/** The number of due tasks on a bike, or on all with null, as the page title starts with it: `(2) `. Empty for none. */
export const dueTitleAtom = atomFamily((gearId: number | null) =>
  atom((get) => {
    const counts = get(dueCountsAtom)
    const count =
      gearId === null ? [...counts.values()].reduce((sum, n) => sum + n, 0) : (counts.get(gearId) ?? 0)
    return count > 0 ? `(${count}) ` : ''
  }),
)

/** How many tasks are due and due soon. */
export const dueSummaryAtom = atom((get) => {
  const active = get(activeTasksAtom)
  return { due: active.filter(isDue).length, soon: active.filter(({ state }) => state === 'soon').length }
})

/** What comes next on a bike, by gear_id. Undefined if nothing does, or something is due. */
export const nextOnBikeAtom = atomFamily((gearId: number) =>
  atom((get) => {
    const first = get(activeTasksAtom).find((task) => task.gear_id === gearId)
    return first && isAhead(first) ? first : undefined
  }),
)

/** The tasks of a bike and the parts on it, by gear_id, for lists. */
export const tasksOnBikeAtom = atomFamily((gearId: number) =>
  atom((get) => get(shownTasksAtom).filter((task) => task.gear_id === gearId)),
)

/** The tasks of a part, by its id, for lists. */
export const tasksOfPartAtom = atomFamily((partId: number) =>
  atom((get) => get(shownTasksAtom).filter((task) => task.part_id === partId)),
)

/** The next task of an item's part, by the item's id. */
export const nextOfItemAtom = atomFamily((itemId: number) =>
  atom((get) => get(listAtom).find((task) => task.item_id === itemId && (isDue(task) || isAhead(task)))),
)

/** What the forecast of a task is made of. Read when it is opened. */
export const explanationAtom = ({ id, gear_id }: Pick<Task, 'id' | 'gear_id'>) =>
  explanationByKeyAtom(`${gear_id}/${id}`)

const explanationByKeyAtom = atomFamily((key: string) => {
  const [gear_id = 0, id = 0] = key.split('/').map(Number)
  return resourceAtom(
    KEYS.forecast(gear_id, id),
    (get, { signal }) => readExplanation(get(backendAtom).client, { id, gear_id }, signal),
    { isCached: false },
  )
})

/** When the tasks of a part or a bike were done. */
export const historyAtom = (owner: Owner) =>
  historyByKeyAtom('part_id' in owner ? `part/${owner.part_id}` : `bike/${owner.gear_id}`)

const historyByKeyAtom = atomFamily((key: string) => {
  const [kind, id] = key.split('/') as [string, string]
  const owner = kind === 'part' ? { part_id: Number(id) } : { gear_id: Number(id) }
  return resourceAtom(KEYS.services(kind, id), (get, { signal }) =>
    readHistory(get(backendAtom).client, owner, signal),
  )
})
