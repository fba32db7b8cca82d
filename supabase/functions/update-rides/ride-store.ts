import { createClient } from '@supabase/supabase-js'
import type { Database, Json } from '../../database.types.ts'
import type { ErrorCode } from '../_shared/errors.ts'
import type { Bike } from './rwgps/client.ts'
import type { Ride, SkippedRow } from './rwgps/trip-page.ts'
import type { ListedRides } from './trip-list.ts'

export type Trigger = 'owner' | 'schedule'

/** Whether rides of an account may be stored. If `unknown`, the ids of its list decide. */
export type Claim = 'accepted' | 'refused' | 'unknown'

/** Bikes, rides and the sync history. Rejects every step of a closed sync. */
export interface RideStore {
  /** Starts a sync and returns its id; null while another one is running. */
  start(triggeredBy: Trigger): Promise<number | null>
  claimAccount(syncId: number, userId: number, listed?: number[]): Promise<Claim>
  storeBikes(syncId: number, bikes: Bike[]): Promise<void>
  storeRides(
    syncId: number,
    rides: Ride[],
    skipped: SkippedRow[],
  ): Promise<{ added: number; changed: number }>
  countRides(): Promise<number>
  /** Removes rides that are not listed, or records why they stay. Returns how many were removed. */
  removeRidesExcept(syncId: number, listed: ListedRides): Promise<number>
  /** Closes a sync; false if it was already closed. */
  finish(syncId: number, outcome: 'ok' | 'failed', code?: ErrorCode): Promise<boolean>
}

/**
 * The store in a Supabase project. It needs the secret key, because only a sync may write rides, and a scheduled one has no
 * user.
 */
export function createRideStore(url: string, secretKey: string): RideStore {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  return {
    async start(triggeredBy) {
      // The generated type does not include null.
      const syncId: number | null = unwrap(await client.rpc('start_ride_sync', { triggered_by: triggeredBy }))
      return syncId
    },
    async claimAccount(syncId, userId, listed) {
      const result = await client.rpc('claim_rwgps_account', {
        sync_id: syncId,
        rwgps_user_id: userId,
        ...(listed ? { listed } : {}),
      })
      return unwrap(result) as Claim
    },
    async storeBikes(syncId, bikes) {
      unwrap(await client.rpc('store_bikes', { sync_id: syncId, gear: bikes.map(withoutNulls) }))
    },
    async storeRides(syncId, rides, skipped) {
      const result = await client.rpc('store_rides', {
        sync_id: syncId,
        page: rides.map(withoutNulls),
        skipped: skipped.map(({ id, position, field }) => `${id ?? `#${position}`} ${field}`),
      })
      return unwrap(result)[0] ?? { added: 0, changed: 0 }
    },
    async countRides() {
      const { count, error } = await client.from('rides').select('id', { count: 'exact', head: true })
      if (error) throw error
      return count ?? 0
    },
    async removeRidesExcept(syncId, { ids, doubt }) {
      return unwrap(
        await client.rpc('remove_rides_except', {
          sync_id: syncId,
          listed: ids,
          ...(doubt ? { list_doubt: doubt } : {}),
        }),
      )
    },
    async finish(syncId, outcome, code) {
      return unwrap(
        await client.rpc('finish_ride_sync', { sync_id: syncId, outcome, ...(code ? { code } : {}) }),
      )
    },
  }
}

// The database reads missing keys as null, and a fifth less JSON is faster to parse.
function withoutNulls(row: Bike | Ride): Json {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

type RpcResult<T> = { data: T; error: null } | { data: null; error: Error }

function unwrap<T>({ data, error }: RpcResult<T>): T {
  if (error) throw error
  return data
}
