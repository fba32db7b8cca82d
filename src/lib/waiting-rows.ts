import type { WriteInput } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { ENTRY_FIELD_NAMES, entryField } from '../../supabase/functions/_shared/entry-fields.ts'
import { idsIn, withIds } from './command-ids.ts'
import { rowsOf, type Waiting } from './waiting.ts'

const of = (relation: string, ...ids: readonly (readonly (number | undefined)[])[]) =>
  ids.flat().flatMap((id) => (id === undefined ? [] : [`${relation}/${id}`]))

/** Returns the rows that a change writes: `maintenance/7`. */
export function targetsOf(change: Waiting): string[] {
  const added = rowsOf(change).map(({ id }) => id)
  switch (change.command) {
    case 'mark_done':
      return of('service_tasks', [change.input.task_id], change.input.also_done ?? [])
    case 'snooze':
      return of('service_tasks', [change.input.task_id], change.input.also ?? [])
    case 'correct_event':
      return [
        ...of('service_events', [change.input.event_id]),
        ...of('service_tasks', change.input.also_done),
      ]
    case 'edit_row':
      return of(change.input.relation, [change.input.row_id])
    case 'add_item':
      return of('maintenance', added, change.input.replaces?.map(({ id }) => id) ?? [])
    case 'change_parts':
      return of('maintenance', added, idsIn(change))
    case 'add_task':
      return of('service_tasks', added)
    case 'add_measurement':
      return [...of('wear_measurements', added), ...of('service_tasks', change.input.also_done ?? [])]
    case 'add_file':
      return of('entry_files', added)
    default:
      return [change.input.change]
  }
}

/** Returns whether a change may move a sum of costs or miles, which leaves it out until it is saved. */
export const changesTotals = ({ command, input }: Waiting): boolean =>
  command === 'add_item' ||
  command === 'change_parts' ||
  command === 'correct_event' ||
  (command === 'mark_done' && input.cost !== undefined) ||
  (command === 'edit_row' && input.relation === 'maintenance')

/** Returns whether a change can't be saved without an earlier one. */
export function dependsOn(change: Waiting, earlier: Waiting): boolean {
  const targets = new Set(targetsOf(earlier))
  const added = new Set(rowsOf(earlier).map(({ id }) => id))
  return targetsOf(change).some((one) => targets.has(one)) || idsIn(change).some((id) => added.has(id))
}

/** Returns what each row of a command is added for: a part that is put on, a part that gets the task, or all that is given. */
export function addedFor({ command, input }: Pick<Waiting, 'command' | 'input'>): readonly unknown[] {
  if (command === 'change_parts') return (input as WriteInput<'change_parts'>).put_on
  return command === 'add_task' ? ((input as WriteInput<'add_task'>).parts ?? [input]) : [input]
}

/** Returns what stays of a change without the rows of a removed one: nothing if it was only about them. */
export function without(removed: Waiting, change: Waiting): Waiting[] {
  const gone = new Set(rowsOf(removed).map(({ id }) => id))
  const ids = idsIn(change)
  if (!ids.some((id) => gone.has(id))) return [change]
  const input = withIds(change, (id) => (gone.has(id) ? null : id))
  // A new entry is more than what it replaces.
  if (input === null || (change.command !== 'add_item' && ids.every((id) => gone.has(id)))) return []
  const isFor = (one: unknown) => {
    const { part_of, replaces } = Object(one) as { part_of?: unknown; replaces?: unknown }
    return [one, part_of, replaces].some((id) => gone.has(id as number))
  }
  const rows = rowsOf(change).filter((_row, index) => !isFor(addedFor(change)[index]))
  return [{ ...change, input, rows } as Waiting]
}

/** Returns a log entry as it will be once it is added. Until then, its part has no ID, either. */
export const itemOf = (item: Record<string, unknown>, id: number, part = id) => ({
  ...Object.fromEntries(ENTRY_FIELD_NAMES.map((name) => [name, entryField(name).initial ?? null])),
  ended_as: null,
  position: null,
  kind: null,
  ...item,
  id,
  part_id: part,
})

/** Returns a row with the values that wait for it. */
export function edited<Row extends { id: number }>(
  relation: string,
  row: Row,
  changes: readonly Waiting[],
): Row {
  const values = changes.map((one): object =>
    one.command === 'edit_row' && one.input.relation === relation && one.input.row_id === row.id
      ? one.input.wanted
      : {},
  )
  return Object.assign({}, row, ...values) as Row
}
