import { atom, type Getter } from 'jotai'
import * as v from 'valibot'

import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import { DATES, type Input, PARTS } from '../../lib/inputs.ts'
import { linesOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'
import { byUrgency } from '../../../supabase/functions/_shared/service/urgency.ts'
import { type Limit, type Line, type Owner, readDue, readExplanation, readHistory, type Task } from './api.ts'
import { inPlaceAtom } from './held-rows.ts'
import { isAhead, isDue } from './task-messages.ts'
import { applyToDue } from './waiting.ts'

/** All bikes' tasks and limits. Reloaded at midnight, because limits can be in days. */
export const dueAtom = resourceAtom(
  {
    reads: ['rides', 'bikes', 'tasks', 'measurements', 'dismissals', PARTS],
    cacheAs: 'due',
    applyWaiting: applyToDue,
  },
  (get, { signal }) => {
    get(todayAtom)
    return readDue(get(backendAtom).client, signal)
  },
)

const NONE: readonly Task[] = []

export const knownTasksAtom = atom((get) => {
  const due = get(dueAtom)
  return due.state === 'ready' ? due.data.tasks : NONE
})

const NO_LIMITS: readonly Limit[] = []

/** The wear limits of the parts in use, the most urgent first. */
export const limitsAtom = atom((get) => {
  const due = get(dueAtom)
  return due.state === 'ready' ? due.data.limits : NO_LIMITS
})

const dueLimitsAtom = atom((get) => get(limitsAtom).filter(isDue))

/** The tasks in list order. Tasks that were just done or snoozed stay in place. */
export const shownTasksAtom = atom((get) => get(inPlaceAtom)(get(knownTasksAtom)))

const isPaused = ({ state }: Task) => state === 'paused'

/** The lines in list order of the bikes that aren't retired. Tasks of stored parts come last, each on its own. */
export const shownLinesAtom = atom((get): readonly Line[] => {
  const tasks = get(shownTasksAtom).filter((task) => !task.is_retired)
  return [
    ...linesOf(tasks.filter((task) => !isPaused(task))),
    ...tasks.filter(isPaused).map((task) => ({ task, others: [] })),
  ]
})

const dueLinesAtom = atom((get) => linesOf(get(knownTasksAtom).filter(isDue)))

/** The number of due lines by gear_id. Bikes without any are absent. */
export const dueCountsAtom = atom((get) => {
  const counts = new Map<number, number>()
  const add = (bike: number) => counts.set(bike, (counts.get(bike) ?? 0) + 1)
  for (const { task, others } of get(dueLinesAtom)) {
    for (const bike of new Set([task, ...others].map(({ gear_id }) => gear_id))) add(bike)
  }
  for (const { gear_id } of get(dueLimitsAtom)) add(gear_id)
  return counts
})

/** The page title's prefix, with the number of lines due on a bike, or on all bikes if null: `(2) `. Empty if none are due. */
export const dueTitleAtom = weakFamily((gearId: number | null) =>
  atom((get) => {
    const count =
      gearId === null
        ? get(dueLinesAtom).length + get(dueLimitsAtom).length
        : (get(dueCountsAtom).get(gearId) ?? 0)
    return count > 0 ? `(${count}) ` : ''
  }),
)

/** What comes next on a bike: a task or a limit. Undefined if something is already due, or nothing is upcoming. */
export const nextOnBikeAtom = weakFamily((gearId: number) =>
  atom((get) => {
    const first = firstOf(get, (one) => one.gear_id === gearId)
    return first && isAhead(first) ? first : undefined
  }),
)

function firstOf(get: Getter, isWanted: (one: Task | Limit) => boolean): Task | Limit | undefined {
  const [task, limit] = [get(knownTasksAtom).find(isWanted), get(limitsAtom).find(isWanted)]
  return task && limit ? (byUrgency(limit, task) < 0 ? limit : task) : (task ?? limit)
}

export const tasksOnBikeAtom = weakFamily((gearId: number) =>
  atom((get) => get(shownTasksAtom).filter((task) => task.gear_id === gearId)),
)

/** The lines of a bike. A group's line only stands for the parts on this bike. */
export const linesOnBikeAtom = weakFamily((gearId: number) =>
  atom((get) => linesOf(get(tasksOnBikeAtom(gearId)).filter(({ state }) => state !== 'paused'))),
)

export const dueLimitsOnBikeAtom = weakFamily((gearId: number) =>
  atom((get) => get(dueLimitsAtom).filter((limit) => limit.gear_id === gearId)),
)

/** Whether a bike's full task list is open. Closed by default, because the line above the log already shows due tasks. */
export const isBikeListOpenAtom = preferenceAtom('bike-service-open', false, v.boolean())

export const tasksOfPartAtom = weakFamily((partId: number) =>
  atom((get) => get(shownTasksAtom).filter((task) => task.part_id === partId)),
)

export const nextOfItemAtom = weakFamily((itemId: number) =>
  atom((get) => firstOf(get, (one) => one.item_id === itemId && (isDue(one) || isAhead(one)))),
)

export const explanationAtom = ({ id, gear_id }: Pick<Task, 'id' | 'gear_id'>) =>
  explanationByKeyAtom(`${gear_id}/${id}`)

const explanationByKeyAtom = weakFamily((key: string) => {
  const [gear_id = 0, id = 0] = key.split('/').map(Number)
  return resourceAtom({ reads: ['rides', 'tasks', PARTS] }, (get, { signal }) =>
    readExplanation(get(backendAtom).client, { id, gear_id }, signal),
  )
})

export const historyAtom = (owner: Owner) =>
  historyByKeyAtom('part_id' in owner ? `part/${owner.part_id}` : `bike/${owner.gear_id}`)

const historyByKeyAtom = weakFamily((key: string) => {
  const [kind, id] = key.split('/') as [string, string]
  const owner = kind === 'part' ? { part_id: Number(id) } : { gear_id: Number(id) }
  const reads: Input[] = ['rides', 'tasks', { of: 'log', columns: [...DATES, 'cost'] }]
  return resourceAtom({ reads, cacheAs: `services/${key}` }, (get, { signal }) =>
    readHistory(get(backendAtom).client, owner, signal),
  )
})
