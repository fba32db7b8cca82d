import { ENTRY_FIELD_NAMES, entryField } from '../../supabase/functions/_shared/entry-fields.ts'
import type { Waiting } from './waiting.ts'

/** Returns the row that a change is about: `maintenance/7`. */
export function targetOf(change: Waiting): string {
  switch (change.command) {
    case 'mark_done':
    case 'snooze':
      return `service_tasks/${change.input.task_id}`
    case 'correct_event':
      return `service_events/${change.input.event_id}`
    case 'edit_row':
      return `${change.input.relation}/${change.input.row_id}`
    case 'add_item':
      return `maintenance/${change.id}`
    case 'add_measurement':
      return `wear_measurements/${change.id}`
    case 'add_file':
      return `entry_files/${change.id}`
    default:
      return change.input.change
  }
}

/** Returns whether a change may move a sum of costs or miles, which leaves it out until it is saved. */
export const changesTotals = ({ command, input }: Waiting): boolean =>
  command === 'add_item' ||
  command === 'correct_event' ||
  (command === 'mark_done' && input.cost !== undefined) ||
  (command === 'edit_row' && input.relation === 'maintenance')

/** Returns whether a change can't be saved without an earlier one. */
export const dependsOn = (change: Waiting, earlier: Waiting): boolean =>
  targetOf(change) === targetOf(earlier) || refersTo(change, earlier.id) || replaces(change, earlier.id)

/** The IDs in the arguments of each command that may belong to rows that wait to be added, except what an entry replaces. */
const REFERENCES: {
  [Name in Waiting['command']]: (input: Extract<Waiting, { command: Name }>['input']) => readonly number[]
} = {
  mark_done: ({ task_id, also_done = [] }) => [task_id, ...also_done],
  snooze: ({ task_id, also = [] }) => [task_id, ...also],
  correct_event: ({ event_id, also_done }) => [event_id, ...also_done],
  add_item: () => [],
  edit_row: ({ row_id }) => [row_id],
  add_measurement: ({ part_id, also_done = [] }) => [part_id, ...also_done],
  add_file: ({ item_id }) => [item_id],
  undo: () => [],
}

/** Returns whether a change is about a row by its ID. */
export const refersTo = ({ command, input }: Waiting, id: number): boolean =>
  REFERENCES[command](input as never).includes(id)

/** Returns an added entry as it is if it doesn't replace that row. */
export const withoutReplaced = (change: Waiting, id: number): Waiting =>
  change.command === 'add_item' && replaces(change, id)
    ? {
        ...change,
        input: { ...change.input, replaces: change.input.replaces!.filter((one) => one.id !== id) },
      }
    : change

const replaces = ({ command, input }: Waiting, id: number): boolean =>
  command === 'add_item' && Boolean(input.replaces?.some((one) => one.id === id))

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
    one.command === 'edit_row' && targetOf(one) === `${relation}/${row.id}` ? one.input.wanted : {},
  )
  return Object.assign({}, row, ...values) as Row
}
