import type { Tables } from '../../../supabase/database.types.ts'
import { dataOf } from '../../lib/answers.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

export type RideSync = Pick<
  Tables<'ride_syncs'>,
  'id' | 'outcome' | 'started_at' | 'finished_at' | 'fetched' | 'added' | 'changed' | 'removed'
>

/** Has the rides fetched from Ride with GPS and stored; resolves when that is done. */
export async function updateRides(client: Client): Promise<void> {
  await callFunction(client, 'update-rides')
}

/** A run has two minutes. One that is open for as long as this has died, as the next run will say in the ledger. */
const DEAD_AFTER_MS = 5 * 60_000

/** The update that is running, if one is, and the last one that succeeded. */
export async function readSyncs(client: Client, signal: AbortSignal) {
  const syncs: RideSync[] = dataOf(
    await client
      .from('ride_syncs')
      .select('id, outcome, started_at, finished_at, fetched, added, changed, removed')
      .in('outcome', ['running', 'ok'])
      .order('id', { ascending: false })
      .limit(2)
      .abortSignal(signal),
  )
  return {
    running: syncs.find(isRunning) ?? null,
    lastOk: syncs.find((sync) => sync.outcome === 'ok') ?? null,
  }
}

function isRunning({ outcome, started_at }: RideSync): boolean {
  return outcome === 'running' && Date.parse(started_at) > Date.now() - DEAD_AFTER_MS
}
