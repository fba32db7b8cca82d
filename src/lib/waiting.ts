import { atom } from 'jotai'

import { ENTRY_FIELD_NAMES, entryField } from '../../supabase/functions/_shared/entry-fields.ts'
import type { WriteInput, WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Values } from './errors.ts'

/** The commands that may wait until the tracker can be reached. All others need the network. */
const MAY_WAIT = [
  'mark_done',
  'correct_event',
  'snooze',
  'add_item',
  'edit_row',
  'add_measurement',
] as const satisfies WriteName[]

type WaitingName = (typeof MAY_WAIT)[number]

export const mayWait = (command: WriteName | undefined): command is WaitingName =>
  (MAY_WAIT as readonly (WriteName | undefined)[]).includes(command)

type Call<Name extends WriteName> = { [One in Name]: { command: One; input: WriteInput<One> } }[Name]

/** A change that is kept in this browser until the tracker has answered it. `undo` takes one back that may have been saved. */
export type Waiting = Call<WaitingName | 'undo'> & {
  key: string
  /** Stands for the row that it adds, until that has its own ID: the negative time at which it was made. */
  id: number
  /** What it changes, such as `“Wax”`. */
  subject: string
  /** Whether it was sent before, so it may have been saved. */
  wasTried: boolean
  /** Why the tracker has refused it, with the stored values if another device has changed them. */
  refusal?: { code: string; message: string; stored: Values | null }
}

/** The owner's changes that wait in this browser, in the order in which they were made. */
export const waitingAtom = atom<readonly Waiting[]>([])

type Sent = { change: Waiting; at: number }

/** What was sent from this tab, which data that was read earlier doesn't show. */
export const sentAtom = atom<readonly Sent[]>([])

/** Returns a function that returns the changes that data lacks, by the time of its read. */
export const unreadAtom = atom((get) => {
  const [waiting, sent] = [get(waitingAtom), get(sentAtom)]
  return (readAt: number): readonly Waiting[] => [
    ...sent.filter(({ at }) => at >= readAt).map(({ change }) => change),
    ...waiting.filter(({ refusal }) => refusal === undefined),
  ]
})

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
    default:
      return change.input.change
  }
}

/** Returns whether a change can't be saved without an earlier one. */
export const dependsOn = (change: Waiting, earlier: Waiting): boolean =>
  targetOf(change) === targetOf(earlier) || Object.values(change.input).includes(earlier.id)

/** Returns a log entry as it will be once it is added. Its part has no ID yet, either. */
export const itemOf = (item: Record<string, unknown>, id: number) => ({
  ...Object.fromEntries(ENTRY_FIELD_NAMES.map((name) => [name, entryField(name).initial ?? null])),
  ended_as: null,
  ...item,
  id,
  part_id: id,
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
