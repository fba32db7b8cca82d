import { atom } from 'jotai'

import type { WriteInput, WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Values } from './errors.ts'
import { type AnyCall, replaced, withIds } from './command-ids.ts'
import type { Upload } from './file-transfer.ts'

/** The commands that may wait until the tracker can be reached. All others need the network. */
const MAY_WAIT = [
  'mark_done',
  'correct_event',
  'snooze',
  'add_item',
  'edit_row',
  'add_measurement',
  'change_parts',
  'add_task',
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

/** A row with its part. Rows without parts have their own ID twice. */
export type Row = { id: number; part: number }

/** What a screen shows of something that waits, whose miles and hours only the tracker can count. */
export type Uncounted<Shown> = Shown & { isUncounted?: boolean }

export const NOT_COUNTED = 'not counted yet'

/** An entry of the log, of which features know more. */
export type ShownItem = { id: number; part_id: number }

/** A change that is kept in this browser until the tracker has answered it. `undo` takes one back that may have been saved. */
export type Waiting = (Call<WaitingName | 'undo'> | FileCall) & {
  key: string
  /** The negative time at which it was made. Stands for the first row that it adds, until that has its own ID. */
  id: number
  /** The rows that it adds, in the order of its arguments. Absent from the lists of earlier versions, whose changes add one. */
  rows?: readonly Row[]
  /** The entries of the parts that it is about, as the screen showed them. They may be in the log of another bike. */
  items?: readonly ShownItem[] | undefined
  /** The name of the changed thing, such as `“Wax”`. */
  subject: string
  /** Whether it was sent, so it may have been saved. */
  wasTried: boolean
  /** Whether it was first sent without its day, so the tracker may know it by other arguments. */
  wasUndated?: boolean
  /** Why it isn't sent, with the stored values if another device has changed them. */
  refusal?: { code: string; message: string; stored: Values | null }
}

/** Returns the rows that a change adds. */
export const rowsOf = ({ id, rows = [{ id, part: id }] }: Pick<Waiting, 'id' | 'rows'>): readonly Row[] =>
  rows

/** The IDs of a row that a saved change has added: of a log entry with its part, or of another row. */
export type SavedIds = { item?: number; part?: number; row?: number }

/** Returns the IDs that a saved change has added, by the ID that stood for each. */
export const savedRows = (change: Waiting, ids: readonly SavedIds[]): ReadonlyMap<number, SavedIds> =>
  new Map(rowsOf(change).flatMap(({ id }, index) => (ids[index] ? [[id, ids[index]]] : [])))

/** The IDs of rows that this browser's waiting changes have added, by the ID that stood for them. */
export const savedIdsAtom = atom<ReadonlyMap<number, SavedIds>>(new Map<number, SavedIds>())

const listAtom = atom<readonly Waiting[]>([])

/** The owner's changes that wait in this browser, in the order in which they were made. */
export const waitingAtom = atom(
  (get) => get(listAtom).map((one) => withSavedIds(one, get(savedIdsAtom))),
  (_get, set, list: readonly Waiting[]) => set(listAtom, list),
)

/** A change with the IDs of the rows that it has added. `order`: when it was known to be saved, in this tab's sequence. */
export type Sent = { change: Waiting; ids: readonly SavedIds[]; order: number }

/** Changes that were saved while this tab showed them as waiting. Data that was read earlier lacks them. */
export const sentAtom = atom<readonly Sent[]>([])

/** Returns a function that returns the changes that data lacks, by the order of its read. */
export const unreadAtom = atom((get) => {
  const [waiting, sent] = [get(waitingAtom), get(sentAtom)]
  const isSent = new Set(sent.map(({ change }) => change.key))
  return (readOrder: number): readonly Waiting[] => [
    ...sent.filter(({ order }) => order > readOrder).map(asSaved),
    ...waiting.filter(({ refusal, key }) => refusal === undefined && !isSent.has(key)),
  ]
})

function asSaved({ change, ids }: Sent): Waiting {
  const rows = rowsOf(change).map((row, index) => {
    const { item, part = row.part, row: other } = ids[index] ?? {}
    return { id: item ?? other ?? row.id, part }
  })
  return { ...change, id: rows[0]?.id ?? change.id, rows }
}

const savedId = (saved: ReadonlyMap<number, SavedIds>) => (id: number, kind: 'part' | 'row') => {
  const { item, part, row } = saved.get(id) ?? {}
  return (kind === 'part' ? part : item) ?? row ?? id
}

/** Returns a command's arguments with the IDs of rows that earlier changes have added. */
export const withRealIds = <Call extends AnyCall>(
  call: Call,
  saved: ReadonlyMap<number, SavedIds>,
): Call['input'] => withIds(call, savedId(saved))!

export function withSavedIds(one: Waiting, saved: ReadonlyMap<number, SavedIds>): Waiting {
  if (saved.size === 0) return one
  const items = one.items && replaced(one.items, [{ id: 'row', part_id: 'part' }], savedId(saved))
  return { ...one, input: withRealIds(one, saved), ...(items ? { items } : {}) } as Waiting
}
