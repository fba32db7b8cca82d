import type { Tables } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/unwrap.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

export type RideSync = Pick<
  Tables<'ride_syncs'>,
  | 'id'
  | 'outcome'
  | 'code'
  | 'started_at'
  | 'finished_at'
  | 'fetched'
  | 'added'
  | 'changed'
  | 'removed'
  | 'set_aside'
  | 'skipped_rows'
  | 'waiting'
  | 'doubt'
>

/** Has the rides fetched from Ride with GPS and stored; resolves when that is done. */
export async function updateRides(client: Client): Promise<void> {
  await callFunction(client, 'update-rides')
}

/** A run has two minutes. One that is open for as long as this has died, as the next run will say in the ledger. */
const DEAD_AFTER_MS = 5 * 60_000

/**
 * Removes the rides that the given sync found missing, as far as they are still missing. While a sync is running it
 * removes nothing, since that sync decides.
 */
export async function removeMissingRides(client: Client, shownBy: number): Promise<void> {
  unwrap(await client.rpc('remove_missing_rides', { shown_by: shownBy }))
}

// Usually enough to include the last sync that succeeded.
const NEWEST = 5

/** The newest sync that ended, the last one that succeeded, and the one that is running. */
export async function readSyncs(client: Client, signal: AbortSignal) {
  const newest = await read(client, signal)
  const isWithoutOk = newest.length === NEWEST && !newest.some(isOk)
  const syncs = isWithoutOk ? [...newest, ...(await read(client, signal, 'ok'))] : newest
  return {
    running: syncs.find(isRunning) ?? null,
    lastEnded: syncs.find(({ outcome }) => outcome !== 'running') ?? null,
    lastOk: syncs.find(isOk) ?? null,
    lastChange: syncs.find(hasChanged) ?? null,
  }
}

async function read(client: Client, signal: AbortSignal, outcome?: 'ok'): Promise<RideSync[]> {
  const syncs = client
    .from('ride_syncs')
    .select(
      'id, outcome, code, started_at, finished_at, fetched, added, changed, removed, set_aside, skipped_rows, waiting, doubt',
    )
    .order('id', { ascending: false })
    .limit(outcome ? 1 : NEWEST)
    .abortSignal(signal)
  return unwrap(await (outcome ? syncs.eq('outcome', outcome) : syncs))
}

function isOk({ outcome }: RideSync): boolean {
  return outcome === 'ok'
}

/** A sync that failed keeps the rides it had stored by then. */
function hasChanged({ outcome, added, changed, removed }: RideSync): boolean {
  return outcome !== 'running' && (outcome === 'ok' || added + changed + removed > 0)
}

function isRunning({ outcome, started_at }: RideSync): boolean {
  return outcome === 'running' && Date.parse(started_at) > Date.now() - DEAD_AFTER_MS
}
