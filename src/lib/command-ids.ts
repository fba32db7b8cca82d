import type { WriteInput, WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'

/** Parts and their entries have different IDs. */
type Kind = 'part' | 'row'

type Ids = Kind | readonly [Ids] | { readonly [name: string]: Ids }

const rows = [{ id: 'row' }] as const

/** Where the arguments of each command have IDs of parts and other rows, except bikes, which only a sync adds. */
export const IDS = {
  add_item: { replaces: rows },
  edit_row: {
    row_id: 'row',
    shown: { with_task: 'row', group: 'row' },
    wanted: { with_task: 'row', group: 'row' },
  },
  set_up_bike: {},
  change_parts: { take_off: rows, put_on: [{ part_of: 'row', replaces: 'row' }] },
  add_task: { task: { part_id: 'part', with_task: 'row', group: 'row' }, parts: ['part'] },
  correct_event: { event_id: 'row', also_done: ['row'] },
  mark_done: { task_id: 'row', seen: 'row', also_done: ['row'] },
  snooze: { task_id: 'row', also: ['row'] },
  remove_task: { task_id: 'row' },
  remove_event: { event_id: 'row' },
  replace_part: { part_id: 'part' },
  move_part: { part_id: 'part', replaces: ['row'] },
  change_part_day: { ended: ['row'], started: ['row'] },
  add_measurement: { part_id: 'part', also_done: ['row'] },
  remove_measurement: { id: 'row' },
  delete_item: { id: 'row' },
  add_file: { item_id: 'row', part_id: 'part' },
  remove_file: { file_id: 'row' },
  import_items: {},
  attach_log: {},
  bike_details: {},
  sell_bike: { goes_along: ['part'] },
  rename_items: { names: rows },
  rotate: { part_id: 'part' },
  name_kinds: { parts: [{ id: 'part' }] },
  dismiss_check: {},
  undo: {},
  set_settings: {},
  set_time_zone: {},
  add_push_subscription: {},
  remove_push_subscription: {},
} as const satisfies Record<WriteName, Ids>

/** A command with its arguments. Those of a file that waits are more than the command's. */
export type AnyCall = { command: WriteName; input: object }

const idsOf = ({ command, input }: AnyCall): Ids =>
  command === 'edit_row' && (input as WriteInput<'edit_row'>).relation === 'parts'
    ? { ...IDS.edit_row, row_id: 'part' }
    : IDS[command]

/** Returns the ID to send instead. Null: the row is gone. */
type Replacement = (id: number, kind: Kind) => number | null

/** Returns a command's arguments with other IDs, and with shorter lists if rows are gone. Null if an ID outside of a list is. */
export const withIds = <Call extends AnyCall>(call: Call, by: Replacement): Call['input'] | null =>
  replaced(call.input, idsOf(call), by) as Call['input'] | null

/** Returns the same for any value whose IDs are known. */
export function replaced(value: unknown, ids: Ids, by: Replacement): unknown {
  if (typeof ids === 'string') return by(value as number, ids)
  if (Array.isArray(ids)) {
    const [each] = ids as readonly [Ids]
    return (value as unknown[]).map((one) => replaced(one, each, by)).filter((one) => one !== null)
  }
  const given = value as Record<string, unknown>
  const changed = Object.entries(ids)
    .filter(([name]) => given[name] !== undefined && given[name] !== null)
    .map(([name, of]) => [name, replaced(given[name], of, by)] as const)
  return changed.some(([, one]) => one === null) ? null : { ...given, ...Object.fromEntries(changed) }
}

/** Lists the IDs in a command's arguments. */
export function idsIn(call: AnyCall): number[] {
  const found: number[] = []
  withIds(call, (id) => {
    found.push(id)
    return id
  })
  return found
}
