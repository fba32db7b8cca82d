import type { Tables } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/unwrap.ts'
import type { Client } from '../../lib/backend.ts'

export type Bike = Pick<Tables<'bikes'>, 'gear_id' | 'name'>

/** Reads all bikes, ordered by name. */
export async function readBikes(client: Client, signal: AbortSignal): Promise<Bike[]> {
  return unwrap(
    await client.from('bikes').select('gear_id, name').order('name').order('gear_id').abortSignal(signal),
  )
}
