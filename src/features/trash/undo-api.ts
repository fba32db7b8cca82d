import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { write } from '../../lib/writes.ts'

/** Conflicting rows, which `change-messages.ts` describes. */
const Undone = v.object({ conflicts: v.array(v.unknown()) })

/** Undoes a change. Conflicting rows prevent this, unless `keepChanged` skips them. Retries with the same key change nothing. */
export function undo(
  client: Client,
  change: string,
  { keepChanged = false, key }: { keepChanged?: boolean; key?: string } = {},
): Promise<v.InferOutput<typeof Undone>> {
  return write(client, 'undo', { change, keep_changed: keepChanged }, Undone, key)
}
