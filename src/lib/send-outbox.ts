import { atom, type Getter, type Setter } from 'jotai'

import type { WriteName, Written } from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Json } from '../../supabase/database.types.ts'
import { DATABASE_ERRORS } from '../../supabase/functions/_shared/messages/error-messages.ts'
import { type Backend, backendAtom } from './backend.ts'
import { isOfflineAtom } from './connection.ts'
import { AppError, ChangedElsewhere, messageFor, SavedEarlier, toAppError } from './errors.ts'
import { type Input, OWNED } from './inputs.ts'
import { lazyCode } from './lazy-code.ts'
import { inputsOf } from './touched-inputs.ts'
import { loadBytes, loadOutbox, recordSaved } from './outbox-storage.ts'
import { changeList, ownerOf, showSavedAtom } from './outbox.ts'
import { touchAtom } from './touch.ts'
import { type FileInput, type SavedIds, savedRows, type Waiting, withSavedIds } from './waiting.ts'
import { dependsOn } from './waiting-rows.ts'
import { timeOf } from '../../supabase/functions/_shared/formats/keys.ts'
import { write, WRITE_LIMIT_MS } from './writes.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs `work` while no other tab runs any, or on plain HTTP, where browsers have no locks, nothing else in this tab. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>
  const run = async () => (locks ? await locks.request('outbox', work) : await work())
  const result = last.then(run)
  last = result.catch(() => undefined)
  return result
}

export type Delivered = { change: Waiting; written: Written<WriteName> }

/**
 * Sends what waits, in order, from one tab at a time. Changes that are refused stay, with what depends on them. Resolves to
 * what was saved and what was refused.
 */
export const sendWaitingAtom = atom(null, (get, set) =>
  exclusively(async () => {
    const outcome: Outcome = { saved: [], refused: [], touched: [] }
    try {
      // oxlint-disable-next-line no-await-in-loop -- in order
      while (await sendNext(get, set, outcome));
    } finally {
      if (outcome.touched.length > 0) set(touchAtom, outcome.touched)
    }
    return { saved: outcome.saved, refused: outcome.refused }
  }),
)

type Outcome = { saved: Delivered[]; refused: Waiting[]; touched: Input[] }

/** Resolves to whether there may be more to send now. */
async function sendNext(get: Getter, set: Setter, { saved, refused, touched }: Outcome): Promise<boolean> {
  const owner = ownerOf(get)
  const next = get(isOfflineAtom) || owner === undefined ? undefined : nextOf(await loadOutbox(owner))
  if (!next || owner === undefined) return false

  /** Replaces the entry of `next`. Resolves to false if the rider has removed it meanwhile. */
  const replace = async (by: readonly Waiting[], onFound?: () => void): Promise<boolean> => {
    let isFound = false
    const swap = (all: readonly Waiting[]) => {
      isFound = all.some(({ key }) => key === next.key)
      return all.flatMap((one) => (one.key === next.key ? by : [one]))
    }
    await changeList(get, set, swap, { onChanged: () => isFound && onFound?.() })
    return isFound
  }
  const refuse = (error: AppError) => {
    const stored = error instanceof ChangedElsewhere ? error.stored : null
    const one = { ...next, refusal: { code: error.code, message: messageFor(error), stored } }
    return replace([one], () => refused.push(one))
  }

  if (isOld(next)) {
    await refuse(new AppError('too_old', 'It has waited for more than 30 days'))
    return true
  }
  // First, because the response may be lost, and this tab with it.
  if (!(await replace([{ ...next, wasTried: true }]))) return true
  const written = await deliver(get(backendAtom), next)
  if (written === null || ownerOf(get) !== owner) return false
  if (written instanceof AppError) {
    next.wasTried = true
    await refuse(written)
    return true
  }
  touched.push(...(written.touched.tables.length === 0 ? OWNED : inputsOf(written.touched)))
  const ids = idsOf(next, written.answer)
  await recordSaved(owner, savedRows(next, ids))
  await replace([], () => {
    saved.push({ change: next, written })
    // It never disappears from the screen.
    set(showSavedAtom, next, ids)
  })
  return true
}

/** Returns the first change that doesn't depend on a refused one. */
function nextOf({ list, saved }: Awaited<ReturnType<typeof loadOutbox>>): Waiting | undefined {
  const all = list.map((one) => withSavedIds(one, saved))
  return all.find(
    (one, index) =>
      !one.refusal && !all.slice(0, index).some((earlier) => earlier.refusal && dependsOn(one, earlier)),
  )
}

const REMEMBERED_MS = 30 * 86_400_000

/** Returns whether the tracker may have forgotten a change's key, so it could save the change twice. */
const isOld = ({ command, key }: Waiting): boolean =>
  command !== 'undo' && Math.abs(Date.now() - timeOf(key)) > REMEMBERED_MS

/** Resolves to what was written, to the error that refuses the change for good, or to null if it has to wait. */
async function deliver(backend: Backend, one: Waiting): Promise<Written<WriteName> | AppError | null> {
  const { command, input, key } = one
  try {
    if (command === 'add_file') return await deliverFile(backend, input, key)
    const call = { command, arguments: input as Json, key }
    const written = (await write(backend.client, 'run_command', call, WRITE_LIMIT_MS)) as Written<WriteName>
    const { row, conflicts = [] } = written.answer as { row?: object | null; conflicts?: object[] }
    if (row === null) return new AppError('RMT22', 'The row was removed')
    return conflicts.length > 0 ? new AppError('RMT11', 'What it wrote was changed since') : written
  } catch (cause) {
    const error = toAppError(cause)
    if (error instanceof SavedEarlier && one.wasUndated) return error.stored
    return isTemporary(error) ? null : error
  }
}

/** The code only loads for a file. */
const transferCode = lazyCode(() => import('./file-transfer.ts'))

async function deliverFile(backend: Backend, input: FileInput, key: string): Promise<Written<WriteName>> {
  const body = await loadBytes(input.bytes)
  // A browser short of room may have thrown it away.
  if (!body) throw new AppError('explained', 'This browser has lost the file.', 422)
  const { sendFile } = await transferCode()
  const { file_id, change } = await sendFile(backend, input, { key, body })
  const touched = { tables: ['entry_files'], columns: [], bikes: [input.gear_id], parts: [] }
  return { answer: { id: file_id }, change, touched }
}

/** Errors that say nothing about a change: the tracker is away, busy, or wants another session. It stays as it is. */
const isTemporary = ({ code, status }: AppError) =>
  !(code in DATABASE_ERRORS) && ![400, 404, 409, 413, 422].includes(status) && code !== 'RMT22'

type Added = { item?: Entry; added?: Entry[]; tasks?: Task[]; id?: number }
type Entry = { id: number; part_id: number }
type Task = { id: number; part_id: number | null }

/** Returns the IDs of the rows that a change has added, in the order of its arguments. */
function idsOf(change: Waiting, answer: object): SavedIds[] {
  const { item, added = item ? [item] : [], tasks, id } = answer as Added
  if (tasks && change.command === 'add_task') return tasksOf(change.input.parts, tasks)
  if (id !== undefined) return [{ row: id }]
  return added.map((one) => ({ item: one.id, part: one.part_id }))
}

/** Returns the task of each part. Two parts have one task if one of them has replaced the other since. */
function tasksOf(parts: readonly number[] | undefined, tasks: readonly Task[]): SavedIds[] {
  const other = tasks.find(({ part_id }) => !parts?.includes(part_id ?? 0))
  return (parts ?? [0]).map((part) => {
    const task = tasks.find(({ part_id }) => part_id === part) ?? other ?? tasks[0]
    return { row: task!.id }
  })
}
