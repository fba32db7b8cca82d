import type { Tables } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/errors.ts'
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

/** Syncs the rides with Ride with GPS. Resolves when the sync has ended. */
export async function syncRides(client: Client): Promise<void> {
  await callFunction(client, 'update-rides')
}

/** A sync has two minutes. One that has run for longer than this has crashed. */
const CRASHED_AFTER_MS = 5 * 60_000

/** Removes the rides that the given sync found missing and that are still missing. Does nothing while a sync is running. */
export async function removeMissingRides(client: Client, shownBy: number): Promise<void> {
  unwrap(await client.rpc('remove_missing_rides', { shown_by: shownBy }))
}

// Usually includes the last successful sync.
const NEWEST = 5

/** Reads the running sync, the last one that ended, the last that succeeded and the last that changed rides. */
export async function readSyncs(client: Client, signal: AbortSignal) {
  const newest = await read(client, signal)
  const lacksOk = newest.length === NEWEST && !newest.some(isOk)
  const syncs = lacksOk ? [...newest, ...(await read(client, signal, 'ok'))] : newest
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

/** A failed sync keeps the rides it stored before it failed. */
function hasChanged({ outcome, added, changed, removed }: RideSync): boolean {
  return outcome !== 'running' && (outcome === 'ok' || added + changed + removed > 0)
}

function isRunning({ outcome, started_at }: RideSync): boolean {
  return outcome === 'running' && Date.parse(started_at) > Date.now() - CRASHED_AFTER_MS
}
