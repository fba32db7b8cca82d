import type { Getter, Setter } from 'jotai'

import type {
  WriteInput,
  WriteName,
  Written,
} from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Json } from '../../supabase/database.types.ts'
import { backendAtom } from './backend.ts'
import { AppError } from './errors.ts'
import { inputsOf, OWNED } from './inputs.ts'
import { touchAtom } from './touch.ts'
import { mayHaveChanged, write } from './writes.ts'

/**
 * Runs a command of the SQL function `run_command`, and reads again what it touched. The same `key` runs it once, even if
 * responses are lost. Throws an AppError.
 */
export async function runCommand<Name extends WriteName>(
  get: Getter,
  set: Setter,
  command: Name,
  input: WriteInput<Name>,
  key: string,
): Promise<Written<Name>> {
  const { client } = get(backendAtom)
  try {
    const call = { command, arguments: input as Json, key }
    const written = (await write(client, 'run_command', call)) as Written<Name>
    if (command === 'edit_row' && (written as Written<'edit_row'>).answer.row === null) {
      throw new AppError('RMT22', 'The row was removed')
    }
    // If there was nothing to write, another device was faster.
    set(touchAtom, written.touched.tables.length === 0 ? OWNED : inputsOf(written.touched))
    return written
  } catch (cause) {
    if (mayHaveChanged(cause)) set(touchAtom, OWNED)
    throw cause
  }
}
