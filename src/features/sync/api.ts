import type { Tables } from '../../../supabase/database.types.ts'
import type { UpdateRidesCall } from '../../../supabase/functions/update-rides/contract.ts'
import { unwrap } from '../../lib/errors.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction, callSql } from '../../lib/functions.ts'

type RideSync = Tables<'ride_syncs'>

export type SyncResult = Pick<
  RideSync,
  | 'id'
  | 'finished_at'
  | 'fetched'
  | 'added'
  | 'changed'
  | 'removed'
  | 'skipped'
  | 'skipped_rows'
  | 'pending_removals'
  | 'mismatch'
> & {
  /** The time of the last quick check that found nothing new. Absent from the function's response. */
  checked_at?: string | null
}

export type Syncs = {
  /** `list_count` is the number of rides to read, or null if unknown. */
  running: Pick<RideSync, 'id' | 'fetched' | 'list_count'> | null
  lastEnded: Pick<RideSync, 'id' | 'code'> | null
  lastOk: SyncResult | null
  /** The newest failure since `lastOk` that lasts until the owner acts. */
  problem: Problem | null
  lastChange: Pick<RideSync, 'id' | 'removed'> | null
}

/** The failures that last until the owner acts. The next sync may resolve any other failure. */
const LASTING = ['rwgps_unauthorized', 'rwgps_other_account'] as const

type Problem = { id: number; code: (typeof LASTING)[number] }

/** Syncs the rides with Ride with GPS. Resolves when the sync has ended. */
export function syncRides(client: Client): Promise<SyncResult> {
  return callFunction<UpdateRidesCall>(client, 'update-rides')
}

function newest<Sync extends { id: number }>(known: Sync | null, own: Sync): Sync {
  return known && known.id >= own.id ? known : own
}

export function newestId({ running, lastEnded }: Syncs): number {
  return Math.max(running?.id ?? 0, lastEnded?.id ?? 0)
}

/** Adds a sync's result, unless newer syncs are known. */
export function withResult(syncs: Syncs, result: SyncResult): Syncs {
  return {
    running: syncs.running && syncs.running.id > result.id ? syncs.running : null,
    lastEnded: newest(syncs.lastEnded, { id: result.id, code: null }),
    lastOk: newest(syncs.lastOk, result),
    problem: syncs.problem && syncs.problem.id > result.id ? syncs.problem : null,
    lastChange: newest(syncs.lastChange, result),
  }
}

/** Syncs end within two minutes, so a sync that is still running after this time has crashed. */
const CRASHED_AFTER_MS = 5 * 60_000

/** Removes the rides that the given sync found missing and that are still missing. Does nothing while a sync is running. */
export async function removeMissingRides(client: Client, shownBy: number): Promise<void> {
  await callSql(client, 'remove_missing_rides', { shown_by: shownBy })
}

// Enough to usually include the last successful sync.
const NEWEST = 5

export async function readSyncs(client: Client, signal: AbortSignal): Promise<Syncs> {
  const newest = await read(client, signal)
  const lacksOk = newest.length === NEWEST && !newest.some(isOk)
  const older = lacksOk
    ? await Promise.all([read(client, signal, ['outcome', ['ok']]), read(client, signal, ['code', LASTING])])
    : []
  const syncs = [...newest, ...older.flat()]
  const lastOk = syncs.find(isOk) ?? null
  return {
    running: syncs.find(isRunning) ?? null,
    lastEnded: syncs.find(({ outcome }) => outcome !== 'running') ?? null,
    lastOk,
    problem: problemOf(syncs, lastOk),
    lastChange: syncs.find(hasChanged) ?? null,
  }
}

export type Account = { id: number; name: string | null }

/** Reads the account at Ride with GPS, as the last sync was told. Null before the first. */
export async function readAccount(client: Client, signal: AbortSignal): Promise<Account | null> {
  const [sync] = unwrap(
    await client
      .from('ride_syncs')
      .select('rwgps_user_id, rwgps_user_name')
      .in('outcome', ['ok'])
      .order('id', { ascending: false })
      .limit(1)
      .abortSignal(signal),
  )
  const { rwgps_user_id: id = null, rwgps_user_name: name = null } = sync ?? {}
  return id === null ? null : { id, name }
}

type ReadSync = SyncResult & Pick<RideSync, 'outcome' | 'code' | 'started_at' | 'list_count' | 'checked_at'>

type Filter = ['outcome' | 'code', readonly string[]]

/** Reads the newest syncs, or only the newest that matches `filter`. */
async function read(client: Client, signal: AbortSignal, filter?: Filter): Promise<ReadSync[]> {
  const syncs = client
    .from('ride_syncs')
    .select(
      'id, outcome, code, started_at, finished_at, checked_at, fetched, added, changed, removed, skipped, skipped_rows, pending_removals, mismatch, list_count',
    )
    .order('id', { ascending: false })
    .limit(filter ? 1 : NEWEST)
    .abortSignal(signal)
  return unwrap(await (filter ? syncs.in(...filter) : syncs))
}

/** Returns the newest lasting failure, unless a later sync or quick check succeeded. */
function problemOf(syncs: readonly ReadSync[], lastOk: ReadSync | null): Problem | null {
  for (const sync of syncs) {
    const lasting = LASTING.find((one) => one === sync.code)
    if (lasting === undefined) continue
    const { id, finished_at: endedAt } = sync
    const isOver =
      lastOk !== null && (lastOk.id > id || Date.parse(lastOk.checked_at ?? '') > Date.parse(endedAt ?? ''))
    return isOver ? null : { id, code: lasting }
  }
  return null
}

function isOk({ outcome }: ReadSync): boolean {
  return outcome === 'ok'
}

/** Includes failed syncs, because rides that they stored before failing are kept. */
function hasChanged({ outcome, added, changed, removed }: ReadSync): boolean {
  return outcome !== 'running' && (outcome === 'ok' || added + changed + removed > 0)
}

function isRunning({ outcome, started_at }: ReadSync): boolean {
  return outcome === 'running' && Date.parse(started_at) > Date.now() - CRASHED_AFTER_MS
}
