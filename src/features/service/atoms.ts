import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { type Owner, readExplanation, readHistory, readTasks, type Task } from './api.ts'
import { byTime } from './likely-dates.ts'
import { isDue } from './task-messages.ts'

/** The tasks of all bikes. Also read again at midnight. */
export const tasksAtom = resourceAtom(KEYS.tasks, (get, { signal }) => {
  get(todayAtom)
  return readTasks(get(backendAtom).client, signal)
})

const NONE: readonly Task[] = []

const listAtom = atom((get) => {
  const tasks = get(tasksAtom)
  return tasks.state === 'ready' ? tasks.data : NONE
})

/** The tasks of all bikes except retired ones, whose tasks would stay overdue. */
export const activeTasksAtom = atom((get) => {
  const bikes = get(bikesAtom)
  const retired = new Set(
    bikes.state === 'ready' ? bikes.data.filter((bike) => bike.is_retired).map((bike) => bike.gear_id) : [],
  )
  return get(listAtom).filter((task) => !retired.has(task.gear_id))
})

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

const byTimeAtom = atom((get) => get(listAtom).toSorted(byTime))

/** The tasks of a bike and the parts on it, by gear_id, the first in time first. */
export const tasksOnBikeAtom = atomFamily((gearId: number) =>
  atom((get) => get(byTimeAtom).filter((task) => task.gear_id === gearId)),
)

/** The tasks of a part, by its id, the first in time first. */
export const tasksOfPartAtom = atomFamily((partId: number) =>
  atom((get) => get(byTimeAtom).filter((task) => task.part_id === partId)),
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
