import type { Line, Task } from './api.ts'

/** A task that may have been done with a line. */
export type AlsoDone = {
  task: Task
  /** `with`: it waits for this task. `same`: the same work elsewhere. `part`: other work on the same part or bike. */
  why: 'with' | 'same' | 'part'
}

const keyOf = (name: string) => name.trim().toLowerCase()

/** Returns the tasks that may have been done with a line: those that wait for it, the same work elsewhere, and other work on the part or bike. */
export function alsoDoneOf({ task, others }: Line, tasks: readonly Task[]): AlsoDone[] {
  const own = new Set([task, ...others].map(({ id }) => id))
  const whyOf = (other: Task): AlsoDone['why'] | null => {
    if (other.with_task !== null && own.has(other.with_task)) return 'with'
    if (other.kind === 'replace') return null
    if (keyOf(other.name) === keyOf(task.name)) return 'same'
    const isOnPart =
      other.part_id === task.part_id && (task.part_id !== null || other.gear_id === task.gear_id)
    return isOnPart ? 'part' : null
  }
  return tasks
    .filter(({ id, state }) => !own.has(id) && state !== 'paused')
    .flatMap((other) => {
      const why = whyOf(other)
      return why === null ? [] : [{ task: other, why }]
    })
    .toSorted((a, b) => ORDER.indexOf(a.why) - ORDER.indexOf(b.why))
}

const ORDER = ['with', 'same', 'part']

/** Returns the ids of the tasks that the form of Done offers ticked. Washing one bike doesn't wash the others. */
export const tickedOf = (others: readonly AlsoDone[]): number[] =>
  others
    .filter(({ why, task }) => why === 'with' || (why === 'same' && task.part_id !== null))
    .map(({ task }) => task.id)

/** Returns whether tasks wait for a line, which Done offers. */
export const isAwaited = (line: Line, tasks: readonly Task[]): boolean =>
  alsoDoneOf(line, tasks).some(({ why }) => why === 'with')
