import { atom } from 'jotai'

import type { Task } from './api.ts'

/** How long the row of a task stays in place after Done or Snooze. */
const HELD_MS = 5000

/** A task whose row stays where it was in the list, its state until then, and what undoes Done. */
type Held = { id: number; place: number; was: Task['state']; undo: (() => void) | null }

const base = atom<readonly Held[]>([])
let timer: ReturnType<typeof setTimeout>

/** The tasks whose rows stay in place, by id. */
export const heldAtom = atom((get) => new Map(get(base).map((held) => [held.id, held])))

/** Keeps the row of a task in place. Rows that already stay do so as long as this one, because each that goes moves the others. */
export const holdAtom = atom(null, (_get, set, held: Held) => {
  set(base, (all) => [...all.filter(({ id }) => id !== held.id), held])
  clearTimeout(timer)
  timer = setTimeout(() => set(base, []), HELD_MS)
})

export const releaseAtom = atom(null, (_get, set, id: number) =>
  set(base, (all) => all.filter((one) => one.id !== id)),
)

/** Puts tasks back to where they were, so a second press hits no other task. */
export const inPlaceAtom = atom((get) => {
  const held = get(base).toSorted((a, b) => a.place - b.place)
  return (tasks: readonly Task[]): readonly Task[] => {
    if (held.length === 0) return tasks
    const list = tasks.filter((task) => held.every(({ id }) => id !== task.id))
    for (const { id, place } of held) list.splice(place, 0, ...tasks.filter((task) => task.id === id))
    return list
  }
})
