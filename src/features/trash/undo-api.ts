import type { Client } from '../../lib/backend.ts'
import type { Answer } from '../../lib/functions.ts'
import { write } from '../../lib/writes.ts'

/** Undoes a change. Conflicting rows prevent this, unless `keepChanged` skips them. Retries with the same key change nothing. */
export function undo(
  client: Client,
  change: string,
  { keepChanged = false, key }: { keepChanged?: boolean; key?: string } = {},
): Promise<Answer<'undo'>> {
  return write(client, 'undo', { change, keep_changed: keepChanged }, key)
}
