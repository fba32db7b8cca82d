import { atom } from 'jotai'

import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import type { Day } from '../../lib/days.ts'
import type { Task } from './api.ts'

/** The time a task's row stays in place after Done or Snooze, in milliseconds. */
const HELD_MS = 5000
/** How often to check whether the focus has left a held row, in milliseconds. */
const FOCUSED_MS = 1000

/** Undoes a Done, or edits its day, cost and note. */
export type AfterDone = { undo: () => void; edit: () => void }

/** A line, by its id, that stays in its old place in the list, with its previous state and what is offered after Done. */
type Held = {
  id: number
  place: number
  was: Task['state']
  /** When it was next. */
  day: Day | null
  after: AfterDone | null
}

const base = atom<readonly Held[]>([])
let timer: ReturnType<typeof setTimeout>

export const heldAtom = atom((get) => new Map(get(base).map((held) => [held.id, held])))

/**
 * Holds a task's row in place, and longer while the keyboard's focus is in it. Keeps other held rows until then, because releasing a
 * row moves the rows below it.
 */
export const holdAtom = atom(null, (get, set, held: Held) => {
  set(base, (all) => [...all.filter(({ id }) => id !== held.id), held])
  const release = () => {
    const focused = document.querySelector(':focus-visible')?.closest<HTMLElement>('[data-task]')?.dataset[
      'task'
    ]
    set(base, (all) => all.filter(({ id }) => String(id) === focused))
    if (get(base).length > 0) timer = setTimeout(release, FOCUSED_MS)
  }
  clearTimeout(timer)
  timer = setTimeout(release, HELD_MS)
})

/** Puts held tasks back in their old places, so a second press doesn't hit another task. */
export const inPlaceAtom = atom((get) => {
  const held = get(base).toSorted((a, b) => a.place - b.place)
  return (tasks: readonly Task[]): readonly Task[] => {
    if (held.length === 0) return tasks
    const list = tasks.filter((task) => held.every(({ id }) => id !== lineIdOf(task)))
    for (const { id, place } of held) list.splice(place, 0, ...tasks.filter((task) => lineIdOf(task) === id))
    return list
  }
})
