import type { Line, ToCheck, ToCheckCall } from '../../../supabase/functions/to-check/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

export type { Line }

/** Reads problems in the rides and the log that the owner hasn't dismissed. */
export function readChecks(client: Client, signal: AbortSignal): Promise<ToCheck> {
  return callFunction<ToCheckCall>(client, 'to-check', { body: {}, signal })
}

export function dismiss(client: Client, key: string): Promise<unknown> {
  const write = async () =>
    unwrap(
      await client
        .from('dismissed_checks')
        .upsert({ key }, { onConflict: 'key', ignoreDuplicates: true })
        .select('id'),
    )
  return settleWrite(write, write)
}

export function bringBack(client: Client, key: string): Promise<unknown> {
  const write = async () => unwrap(await client.from('dismissed_checks').delete().eq('key', key).select('id'))
  return settleWrite(write, write)
}
