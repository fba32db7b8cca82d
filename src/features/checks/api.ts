import type { Line, ToCheck, ToCheckCall } from '../../../supabase/functions/to-check/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { changeOf, repeatIfLost } from '../../lib/writes.ts'

export type { Line }

/** Reads problems in the rides and the log that the owner hasn't dismissed. */
export function readChecks(client: Client, signal: AbortSignal): Promise<ToCheck> {
  return callFunction<ToCheckCall>(client, 'to-check', { body: {}, signal })
}

/** Resolves to the change, or to null if it was already dismissed. */
export function dismiss(client: Client, key: string): Promise<string | null> {
  return repeatIfLost(client, async (writer, change) => {
    const options = { onConflict: 'key', ignoreDuplicates: true }
    const added = unwrap(await writer.from('dismissed_checks').upsert({ key }, options).select('id'))
    return changeOf(writer, change, added)
  })
}
