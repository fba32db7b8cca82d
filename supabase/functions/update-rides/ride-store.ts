import { createClient } from '@supabase/supabase-js'
import type { Database, Json } from '../../database.types.ts'
import type { ErrorCode } from '../_shared/errors.ts'
import type { Listed } from './read-rides.ts'
import type { Bike } from './rwgps/bike.ts'
import type { Ride } from './rwgps/ride.ts'
import type { SkippedRow } from './rwgps/trip-page.ts'

export type Trigger = 'owner' | 'schedule'

/** Whether rides of an account may be stored; `unknown` until the ids of its list are there to compare. */
export type Claim = 'accepted' | 'refused' | 'unknown'

/** The database as a run needs it: rides, bikes and the ledger. Once a run was closed, its steps are rejected. */
export interface RideStore {
  /** Opens a run; null while another one is running. */
  start(triggeredBy: Trigger): Promise<number | null>
  claimAccount(run: number, userId: number, listed?: number[]): Promise<Claim>
  storeBikes(run: number, bikes: Bike[]): Promise<void>
  storeRides(run: number, rides: Ride[], skipped: SkippedRow[]): Promise<{ added: number; changed: number }>
  countRides(): Promise<number>
  /** Removes what was not listed, or notes why it stays; returns how many were removed. */
  removeRidesExcept(run: number, listed: Listed): Promise<number>
  /** Closes a run; false if it was closed already. */
  finish(run: number, outcome: 'ok' | 'failed', code?: ErrorCode): Promise<boolean>
}

/**
 * The store in a Supabase project. It takes the secret key, because nobody but a refresh may write rides: not even the
 * owner, and the schedule has no user at all.
 */
export function createRideStore(url: string, secretKey: string): RideStore {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  return {
    async start(triggeredBy) {
      // The generated type does not know that a function may return null.
      const run: number | null = unwrap(await client.rpc('start_ride_sync', { triggered_by: triggeredBy }))
      return run
    },
    async claimAccount(run, userId, listed) {
      const answer = await client.rpc('claim_rwgps_account', {
        sync_id: run,
        rwgps_user_id: userId,
        ...(listed ? { listed } : {}),
      })
      return unwrap(answer) as Claim
    },
    async storeBikes(run, bikes) {
      unwrap(await client.rpc('store_bikes', { sync_id: run, gear: bikes.map(withoutNulls) }))
    },
    async storeRides(run, rides, skipped) {
      const answer = await client.rpc('store_rides', {
        sync_id: run,
        page: rides.map(withoutNulls),
        skipped: skipped.map(({ id, position, field }) => `${id ?? `#${position}`} ${field}`),
      })
      return unwrap(answer)[0] ?? { added: 0, changed: 0 }
    },
    async countRides() {
      const { count, error } = await client.from('rides').select('id', { count: 'exact', head: true })
      if (error) throw error
      return count ?? 0
    },
    async removeRidesExcept(run, { ids, doubt }) {
      return unwrap(
        await client.rpc('remove_rides_except', {
          sync_id: run,
          listed: ids,
          ...(doubt ? { list_doubt: doubt } : {}),
        }),
      )
    },
    async finish(run, outcome, code) {
      return unwrap(
        await client.rpc('finish_ride_sync', { sync_id: run, outcome, ...(code ? { code } : {}) }),
      )
    },
  }
}

// The database reads an absent column as null, and a fifth less of text makes it faster.
function withoutNulls(row: Bike | Ride): Json {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

type Answer<T> = { data: T; error: null } | { data: null; error: Error }

function unwrap<T>({ data, error }: Answer<T>): T {
  if (error) throw error
  return data
}
