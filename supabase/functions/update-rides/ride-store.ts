import * as v from 'valibot'
import type { ErrorCode } from '../_shared/http/errors.ts'
import type { Query } from '../_shared/http/query.ts'
import { Count } from '../_shared/contracts/fields.ts'
import { FinishedSync } from '../_shared/contracts/update-rides.ts'
import type { ListPass } from './list-pages.ts'
import type { Session } from './rwgps/client.ts'
import { FIELDS, type Row, type TripPage } from './rwgps/trip-page.ts'

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

const CheckStep = v.picklist(['check', 'sync', 'wait', 'running'])
const CheckOutcome = v.picklist(['unchanged', 'notify', 'sync', 'wait'])

/** Every step rejects if its sync was closed. */
export interface RideStore {
  /** Starts a sync and returns its id; null while another sync is running. `followsCheck`: a quick check found changes. */
  start(triggeredBy: Trigger, followsCheck: boolean): Promise<number | null>
  /** Stores the account's bikes if its rides may be stored. */
  claim(
    syncId: number,
    account: Pick<Session, 'userId' | 'userName' | 'bikes'>,
    listed?: ReadonlySet<number>,
  ): Promise<Claim>
  /** Stores rides, records skipped rows and the server's count, and returns the number of new rides. */
  storeRows(syncId: number, rows: Row[], total: TripPage['total']): Promise<number>
  /** Closes a successful sync. Removes unlisted rides, or records why they stay. If `listed` is null, all rides are listed. */
  finish(syncId: number, listed: ListPass | null, digest: string): Promise<FinishedSync>
  /** Closes a failed sync. Returns false if it was already closed. `retryAfter` is in milliseconds. */
  fail(syncId: number, code: ErrorCode, retryAfter?: number): Promise<boolean>
  /** Decides whether to check, sync or wait. `userId` is the token's account; null: no token. */
  beginQuickCheck(userId: number | null): Promise<v.InferOutput<typeof CheckStep>>
  /** Compares the digest with the last sync's. Records the time of the check if nothing has changed. */
  finishQuickCheck(digest: string): Promise<v.InferOutput<typeof CheckOutcome>>
}

/** `query` needs the secret key, because only a sync may write rides and a scheduled sync has no user. */
export function createRideStore(query: Query): RideStore {
  return {
    start: (triggeredBy, followsCheck) =>
      query('start_ride_sync', v.nullable(v.number()), {
        triggered_by: triggeredBy,
        follows_check: followsCheck,
      }),
    claim: (syncId, { userId, userName, bikes }, listed) =>
      query('claim_rwgps_account', Claim, {
        sync_id: syncId,
        rwgps_user_id: userId,
        rwgps_user_name: userName ?? undefined,
        gear: bikes,
        listed: listed && [...listed],
      }),
    async storeRows(syncId, rows, total) {
      const [stored] = await query('store_rides', v.tuple([v.object({ added: v.number() })]), {
        sync_id: syncId,
        page: rows.flatMap(({ ride }) => ride ?? []),
        skipped: rows
          .filter(({ ride }) => ride === null)
          .map(({ id, position, unreadable }) => `${id ?? `#${position}`} ${unreadable}`),
        list_count: typeof total === 'number' ? total : undefined,
      })
      return stored.added
    },
    finish: (syncId, listed, digest) =>
      query('finish_ride_sync', FinishedSync, {
        sync_id: syncId,
        digest,
        ...(listed && {
          listed: [...listed.ids],
          is_complete: listed.isComplete,
          count_kind: typeof listed.total === 'number' ? 'readable' : (listed.total ?? 'none'),
          rows_without_id: listed.rowsWithoutId,
        }),
      }),
    fail: (syncId, code, retryAfter) =>
      query('fail_ride_sync', v.boolean(), {
        sync_id: syncId,
        code,
        retry_after: retryAfter && retryAfter / 1000,
      }),
    beginQuickCheck: (userId) =>
      query('begin_quick_check', CheckStep, { rwgps_user_id: userId ?? undefined }),
    finishQuickCheck: (digest) => query('finish_quick_check', CheckOutcome, { digest }),
  }
}
