import { atom } from 'jotai'

import type { WriteInput, WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Values } from './errors.ts'
import type { Upload } from './file-transfer.ts'

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

/** Why a change isn't sent before the rider has decided, although the tracker hasn't refused it. */
const ASKED = new Set(['too_old', 'earlier_owner'])

export const isAsked = (refusal: Waiting['refusal']): boolean => ASKED.has(refusal?.code ?? '')

type Call<Name extends WriteName> = { [One in Name]: { command: One; input: WriteInput<One> } }[Name]

/** A file for an entry. `bytes` names its content, thumbnail first, which is stored apart from the list of changes. */
export type FileInput = Upload & {
  part_id: number
  gear_id: number
  media_type: string
  size: number
  bytes: string
}

type FileCall = { command: 'add_file'; input: FileInput }

/** A change that is kept in this browser until the tracker has answered it. `undo` takes one back that may have been saved. */
export type Waiting = (Call<WaitingName | 'undo'> | FileCall) & {
  key: string
  /** Stands for the row that it adds, until that has its own ID: the negative time at which it was made. */
  id: number
  /** The part of the entry that it has added, once it is saved. */
  part?: number
  /** The name of the changed thing, such as `“Wax”`. */
  subject: string
  /** Whether it was sent, so it may have been saved. */
  wasTried: boolean
  /** Whether it was first sent without its day, so the tracker may know it by other arguments. */
  wasUndated?: boolean
  /** Why it isn't sent, with the stored values if another device has changed them. */
  refusal?: { code: string; message: string; stored: Values | null }
}

/** The IDs of what a saved change has added: of a log entry with its part, or of another row. */
export type SavedIds = { item?: number; part?: number; row?: number }

/** The IDs of rows that this browser's waiting changes have added, by the ID that stood for them. */
export const savedIdsAtom = atom<ReadonlyMap<number, SavedIds>>(new Map<number, SavedIds>())

const listAtom = atom<readonly Waiting[]>([])

/** The owner's changes that wait in this browser, in the order in which they were made. */
export const waitingAtom = atom(
  (get) => get(listAtom).map((one) => withSavedIds(one, get(savedIdsAtom))),
  (_get, set, list: readonly Waiting[]) => set(listAtom, list),
)

/** A change with the IDs of what it has added. `order`: when it was known to be saved, in this tab's sequence. */
export type Sent = { change: Waiting; ids: SavedIds; order: number }

/** Changes that were saved while this tab showed them as waiting. Data that was read earlier lacks them. */
export const sentAtom = atom<readonly Sent[]>([])

/** Returns a function that returns the changes that data lacks, by the order of its read. */
export const unreadAtom = atom((get) => {
  const [waiting, sent] = [get(waitingAtom), get(sentAtom)]
  const isSent = new Set(sent.map(({ change }) => change.key))
  return (readOrder: number): readonly Waiting[] => [
    ...sent
      .filter(({ order }) => order > readOrder)
      .map(({ change, ids: { item, row, part } }) =>
        Object.assign({}, change, { id: item ?? row ?? change.id }, part !== undefined && { part }),
      ),
    ...waiting.filter(({ refusal, key }) => refusal === undefined && !isSent.has(key)),
  ]
})

/** Returns a command's arguments with the IDs of rows that earlier changes have added. */
export function withRealIds<Input extends object>(input: Input, saved: ReadonlyMap<number, SavedIds>): Input {
  const ofPart = 'relation' in input && input.relation === 'parts'
  const real = (name: string, value: unknown): unknown => {
    if (name === 'replaces') return (value as { id: number }[]).map((one) => withRealIds(one, saved))
    const { item, part, row } = (typeof value === 'number' && saved.get(value)) || {}
    return (ofPart || name === 'part_id' ? part : item) ?? row ?? value
  }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, real(name, value)])) as Input
}

export const withSavedIds = (one: Waiting, saved: ReadonlyMap<number, SavedIds>): Waiting =>
  saved.size === 0 ? one : ({ ...one, input: withRealIds(one.input, saved) } as Waiting)
