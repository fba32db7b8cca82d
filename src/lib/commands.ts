import type { Getter, Setter } from 'jotai'

import type {
  WriteInput,
  WriteName,
  Written,
} from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Json } from '../../supabase/database.types.ts'
import { backendAtom } from './backend.ts'
import { dayAtAtom } from './clock.ts'
import { isHealthy, isOfflineAtom } from './connection.ts'
import { AppError, toAppError } from './errors.ts'
import { OWNED } from './inputs.ts'
import { inputsOf } from './touched-inputs.ts'
import { loadOutbox } from './outbox-storage.ts'
import { enqueue, ownerOf } from './outbox.ts'
import { nextInSequence } from './sequence.ts'
import { touchAtom } from './touch.ts'
import { mayWait, type Waiting, waitingAtom, withRealIds } from './waiting.ts'
import { itemOf } from './waiting-rows.ts'
import { mayHaveChanged, write, WRITE_LIMIT_MS } from './writes.ts'

/**
 * `order`: when it was known to be saved, in this tab's sequence. `isWaiting`: the tracker can't be reached, so the change is
 * kept until it can. IDs of new rows are negative until then.
 */
export type Result<Name extends WriteName> = Written<Name> & { order: number; isWaiting?: boolean }

/**
 * Runs a command of the SQL function `run_command`, and reads again what it touched. The same `key` runs it once, even if
 * responses are lost. With a `subject`, a command that may wait does so while the tracker can't be reached. Throws an
 * AppError.
 */
export async function runCommand<Name extends WriteName>(
  get: Getter,
  set: Setter,
  command: Name,
  input: WriteInput<Name>,
  key: string,
  subject?: string,
): Promise<Result<Name>> {
  const { client, config } = get(backendAtom)
  const wait = async (wasTried: boolean) => {
    // The rider's day, not that of sending.
    const isUndated = command === 'mark_done' && !('done_on' in input)
    const dated = isUndated ? { ...input, done_on: get(dayAtAtom)(Date.now()) } : input
    const given = {
      command,
      input: dated,
      key,
      subject,
      wasTried,
      wasUndated: wasTried && isUndated,
    } as Waiting
    return answerOf(await enqueue(get, set, given)) as Result<Name>
  }
  const canWait = subject !== undefined && mayWait(command)
  // Not before what was changed earlier.
  const isWaiting = get(isOfflineAtom) || get(waitingAtom).some(({ refusal }) => !refusal)
  if (canWait && isWaiting) {
    return wait(false).catch((cause: unknown) => {
      throw new AppError('not_kept', String(cause))
    })
  }
  try {
    const call = { command, arguments: (await withKnownIds(get, input)) as Json, key }
    const limit = canWait ? WRITE_LIMIT_MS : undefined
    const written = (await write(client, 'run_command', call, limit)) as Written<Name>
    if (command === 'edit_row' && (written as Written<'edit_row'>).answer.row === null) {
      throw new AppError('RMT22', 'The row was removed')
    }
    const order = nextInSequence()
    // If there was nothing to write, another device was faster.
    set(touchAtom, written.touched.tables.length === 0 ? OWNED : inputsOf(written.touched))
    return { ...written, order }
  } catch (cause) {
    if (mayHaveChanged(cause)) set(touchAtom, OWNED)
    const isLost = ['network', 'unclear'].includes(toAppError(cause).code)
    if (!canWait || !isLost || (await isHealthy(config))) throw cause
    return wait(true).catch(() => {
      throw cause
    })
  }
}

/** Returns arguments with the IDs of rows that were saved since a screen has read them, perhaps by another tab. */
async function withKnownIds<Input extends object>(get: Getter, input: Input): Promise<Input> {
  const owner = ownerOf(get)
  const hasNegative = /:-\d/.test(JSON.stringify(input))
  return owner !== undefined && hasNegative ? withRealIds(input, (await loadOutbox(owner)).saved) : input
}

/** Returns what stands for the answer until there is one. Undo takes a waiting change by its key, too. */
function answerOf(change: Waiting): Result<WriteName> {
  const { id, key } = change
  const answer = change.command === 'add_item' ? { item: itemOf(change.input.item, id) } : { id, row: {} }
  const touched = { tables: [], columns: [], bikes: [], parts: [] }
  return { answer, change: key, touched, order: nextInSequence(), isWaiting: true }
}
