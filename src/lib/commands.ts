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
import { idsIn } from './command-ids.ts'
import { inputsOf } from './touched-inputs.ts'
import { loadOutbox } from './outbox-storage.ts'
import { enqueue, ownerOf } from './outbox.ts'
import { nextInSequence } from './sequence.ts'
import { touchAtom } from './touch.ts'
import { mayWait, rowsOf, type ShownItem, type Waiting, waitingAtom, withRealIds } from './waiting.ts'
import { itemOf } from './waiting-rows.ts'
import { mayHaveChanged, write, WRITE_LIMIT_MS } from './writes.ts'

/**
 * `order`: when it was known to be saved, in this tab's sequence. `isWaiting`: the tracker can't be reached, so the change is
 * kept until it can. IDs of new rows are negative until then.
 */
export type Result<Name extends WriteName> = Written<Name> & { order: number; isWaiting?: boolean }

/**
 * Runs a command of the SQL function `run_command`, and reads again what it touched. The same `key` runs it once, even if
 * responses are lost. With a `subject`, a command that may wait does so while the tracker can't be reached, with the `items`
 * that the screen needs until then. Throws an AppError.
 */
export async function runCommand<Name extends WriteName>(
  get: Getter,
  set: Setter,
  command: Name,
  input: WriteInput<Name>,
  key: string,
  subject?: string,
  items?: readonly ShownItem[],
): Promise<Result<Name>> {
  const { client, config } = get(backendAtom)
  const wait = async (wasTried: boolean) => {
    // The rider's day, not that of sending.
    const day = DAYS[command]
    const isUndated = day !== undefined && !(day in input)
    const given = {
      command,
      input: isUndated ? { ...input, [day]: get(dayAtAtom)(Date.now()) } : input,
      key,
      subject,
      items,
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
    const call = { command, arguments: (await withKnownIds(get, command, input)) as Json, key }
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

/** The arguments that are the day of sending if they are left out. */
const DAYS: { [Name in WriteName]?: string } = { mark_done: 'done_on', add_task: 'count_from' }

/** Returns arguments with the IDs of rows that were saved since a screen has read them, perhaps by another tab. */
async function withKnownIds<Name extends WriteName>(
  get: Getter,
  command: Name,
  input: WriteInput<Name>,
): Promise<object> {
  const owner = ownerOf(get)
  const call = { command, input }
  const isKnown = owner === undefined || idsIn(call).every((id) => id > 0)
  return isKnown ? input : withRealIds(call, (await loadOutbox(owner)).saved)
}

/** Returns what stands for the answer until there is one. Undo takes a waiting change by its key, too. */
function answerOf(change: Waiting): Result<WriteName> {
  const touched = { tables: [], columns: [], bikes: [], parts: [] }
  const answer = rowsAnswer(change) as Written<WriteName>['answer']
  return { answer, change: change.key, touched, order: nextInSequence(), isWaiting: true }
}

function rowsAnswer(change: Waiting): object {
  const { id } = change
  switch (change.command) {
    case 'add_item':
      return { item: itemOf(change.input.item, id) }
    case 'change_parts': {
      const { put_on } = change.input
      return {
        ended: [],
        added: rowsOf(change).map((row, index) => itemOf(put_on[index]!, row.id, row.part)),
      }
    }
    case 'add_task': {
      const { task } = change.input
      const tasks = rowsOf(change).map(({ id }) => Object.assign({}, task, { id }))
      return { tasks, events: null, successor: null }
    }
    default:
      return { id, row: {} }
  }
}
