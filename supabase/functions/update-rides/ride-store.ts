import * as v from 'valibot'
import type { Json } from '../../database.types.ts'
import type { ErrorCode } from '../_shared/errors.ts'
import type { Query } from '../_shared/query.ts'
import { Count } from '../_shared/contracts/fields.ts'
import { FinishedSync } from './contract.ts'
import type { Bike, Session } from './rwgps/client.ts'
import { FIELDS, type Ride, type Row } from './rwgps/trip-page.ts'
import type { ListSummary, NewestRows } from './quick-check.ts'
import type { ListedRides } from './trip-list.ts'

export type Trigger = 'owner' | 'schedule'

const Claim = v.variant('claim', [
  v.strictObject({
    claim: v.literal('accepted'),
    /** The number of stored rides with each field. */
    stored: v.object(v.entriesFromList(FIELDS, Count)),
  }),
  v.strictObject({
    /** If unknown, claim again with the ids of the account's list. */
    claim: v.picklist(['refused', 'unknown']),
  }),
])
export type Claim = v.InferOutput<typeof Claim>

const Begun = v.strictObject({
  next: v.picklist(['check', 'sync', 'wait', 'running']),
  /** The last sync's time zone for trips without one. */
  home_zone: v.nullable(v.string()),
})
const Outcome = v.picklist(['unchanged', 'notify', 'sync', 'wait'])

/** Every step rejects if its sync was closed. */
export interface RideStore {
  /** Starts a sync and returns its id; null while another sync is running. */
  start(triggeredBy: Trigger): Promise<number | null>
  /** Stores the account's bikes if its rides may be stored. */
  claim(syncId: number, account: Pick<Session, 'userId' | 'bikes'>, listed?: number[]): Promise<Claim>
  /** Stores rides, records skipped rows and the server's count, and returns the number of new rides. */
  storeRows(syncId: number, rows: Row[], count: number | null): Promise<number>
  /** Closes a successful sync. Removes unlisted rides, or records why they stay. If `listed` is null, all rides are listed. */
  finish(syncId: number, listed: ListedRides | null, list: ListSummary): Promise<FinishedSync>
  /** Closes a failed sync. Returns false if it was already closed. `retryAfter` is in milliseconds. */
  fail(syncId: number, code: ErrorCode, retryAfter?: number): Promise<boolean>
  /** Decides whether to check, sync or wait. `userId` is the token's account; null: no token. */
  beginQuickCheck(userId: number | null): Promise<v.InferOutput<typeof Begun>>
  /** Compares rows with the stored rides and the last sync. Records the time of the check if nothing has changed. */
  finishQuickCheck(newest: NewestRows): Promise<v.InferOutput<typeof Outcome>>
}

/** `query` needs the secret key, because only a sync may write rides and a scheduled sync has no user. */
export function createRideStore(query: Query): RideStore {
  return {
    start: (triggeredBy) => query('start_ride_sync', v.nullable(v.number()), { triggered_by: triggeredBy }),
    claim: (syncId, { userId, bikes }, listed) =>
      query('claim_rwgps_account', Claim, {
        sync_id: syncId,
        rwgps_user_id: userId,
        gear: bikes.map(withoutNulls),
        listed,
      }),
    async storeRows(syncId, rows, count) {
      const [stored] = await query('store_rides', v.tuple([v.object({ added: v.number() })]), {
        sync_id: syncId,
        ...pageOf(rows),
        list_count: count ?? undefined,
      })
      return stored.added
    },
    finish: (syncId, listed, { newest, count, homeZone }) =>
      query('finish_ride_sync', FinishedSync, {
        sync_id: syncId,
        listed: listed?.ids,
        is_complete: listed?.isComplete,
        count_kind: listed?.count,
        rows_without_id: listed?.rowsWithoutId,
        newest,
        list_count: count ?? undefined,
        home_zone: homeZone ?? undefined,
      }),
    fail: (syncId, code, retryAfter) =>
      query('fail_ride_sync', v.boolean(), {
        sync_id: syncId,
        code,
        retry_after: retryAfter && retryAfter / 1000,
      }),
    beginQuickCheck: (userId) => query('begin_quick_check', Begun, { rwgps_user_id: userId ?? undefined }),
    finishQuickCheck: ({ rows, count, sortedBy }) =>
      query('finish_quick_check', Outcome, {
        ...pageOf(rows),
        listed: rows.flatMap(({ id }) => id ?? []),
        list_count: count ?? undefined,
        newest_by: sortedBy,
      }),
  }
}

const pageOf = (rows: Row[]) => ({
  page: rows
    .map(({ ride }) => ride)
    .filter((ride) => ride !== null)
    .map(withoutNulls),
  skipped: rows
    .filter(({ ride }) => ride === null)
    .map(({ id, position, unreadable }) => `${id ?? `#${position}`} ${unreadable}`),
})

// The database reads missing keys as null, and omitting nulls shrinks the JSON by a fifth.
function withoutNulls(row: Bike | Ride): Json {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
