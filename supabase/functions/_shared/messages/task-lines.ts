/** A task as people read it: of tasks that were added together, the most urgent one with the others. */
export interface TaskLine<Task> {
  task: Task
  others: Task[]
}

/** Returns the same for all tasks of a line. A group is named after its first task. */
export const lineIdOf = ({ id, group }: { id: number; group: number | null }): number => group ?? id

/** Returns a line for each task or group, in the order of the tasks. */
export function linesOf<Task extends { group: number | null }>(tasks: readonly Task[]): TaskLine<Task>[] {
  const byGroup = new Map<number, TaskLine<Task>>()
  return tasks.flatMap((task) => {
    const known = task.group === null ? undefined : byGroup.get(task.group)
    if (known) {
      known.others.push(task)
      return []
    }
    const line = { task, others: [] }
    if (task.group !== null) byGroup.set(task.group, line)
    return [line]
  })
}

/** Counts the parts of several tasks: `4 tires`, `2 parts`. */
export function countParts(tasks: readonly { item_type: string | null }[]): string {
  const types = new Set(tasks.map(({ item_type }) => item_type))
  const [type] = types
  // "Tires" and "Wheels" can be counted.
  return `${tasks.length} ${types.size === 1 && type?.endsWith('s') ? type.toLowerCase() : 'parts'}`
}
