import type { Tables } from '../../../supabase/database.types.ts'
import { dataOf } from '../../lib/answers.ts'
import type { Client } from '../../lib/backend.ts'

const COLUMNS = 'id, bikeId, type, name, description, cost, dateStarted, dateEnded'

/** An item of a bike's log. */
export type Item = Tables<'maintenance'>

/** A bike's log, in the order of its dates. */
export async function readLog(client: Client, gearId: number, signal: AbortSignal): Promise<Item[]> {
  const bike = dataOf(
    await client
      .from('bikes')
      .select(`gear_id, maintenance(${COLUMNS})`)
      .eq('gear_id', gearId)
      .order('dateStarted', { referencedTable: 'maintenance' })
      .order('id', { referencedTable: 'maintenance' })
      .abortSignal(signal)
      .single(),
  )
  return bike.maintenance
}
