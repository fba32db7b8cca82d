import { atom } from 'jotai'

import type { Task } from './api.ts'

/** The time a task's row stays in place after Done or Snooze, in milliseconds. */
const HELD_MS = 5000

/** A task whose row stays in its old place in the list, with its previous state and its Undo action after Done. */
type Held = { id: number; place: number; was: Task['state']; undo: (() => void) | null }

const base = atom<readonly Held[]>([])
let timer: ReturnType<typeof setTimeout>

export const heldAtom = atom((get) => new Map(get(base).map((held) => [held.id, held])))

/** Holds a task's row in place. Keeps other held rows until then, because releasing a row moves the rows below it. */
export const holdAtom = atom(null, (_get, set, held: Held) => {
  set(base, (all) => [...all.filter(({ id }) => id !== held.id), held])
  clearTimeout(timer)
  timer = setTimeout(() => set(base, []), HELD_MS)
})

export const releaseAtom = atom(null, (_get, set, id: number) =>
  set(base, (all) => all.filter((one) => one.id !== id)),
)

/** Puts held tasks back in their old places, so a second press doesn't hit another task. */
export const inPlaceAtom = atom((get) => {
  const held = get(base).toSorted((a, b) => a.place - b.place)
  return (tasks: readonly Task[]): readonly Task[] => {
    if (held.length === 0) return tasks
    const list = tasks.filter((task) => held.every(({ id }) => id !== task.id))
    for (const { id, place } of held) list.splice(place, 0, ...tasks.filter((task) => task.id === id))
    return list
  }
})
