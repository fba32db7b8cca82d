import type {
  Measurement,
  PartDetails,
  UsageCall,
} from '../../../supabase/functions/maintenance-use/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import { AppError, unwrap } from '../../lib/errors.ts'
import { askMaintenanceUse } from './maintenance-use.ts'

export type { Measurement, PartDetails }

/** Distance in meters, moving time in seconds. */
export type UsageTotals = UsageCall['answer']['total']

/** `byPart` covers each part's lifetime on all bikes. */
export type Usage = {
  total: UsageTotals
  byItem: ReadonlyMap<number, UsageCall['answer']['items'][number]>
  byPart: ReadonlyMap<number, UsageCall['answer']['parts'][number]>
}

/** Reads a bike's usage. With `day`, reads it as of the end of that day, only for items on the bike at that time. */
export async function readUsage(
  client: Client,
  gearId: number,
  signal: AbortSignal,
  day?: Day,
): Promise<Usage> {
  const question = { gear_id: gearId, ...(day !== undefined && { day }) }
  const { total, items, parts } = await askMaintenanceUse(client, question, signal)
  return {
    total,
    byItem: new Map(items.map((item) => [item.id, item])),
    byPart: new Map(parts.map((part) => [part.part_id, part])),
  }
}

/** Reads a part's details. Throws `gone` if the part was deleted. */
export async function readPartDetails(
  client: Client,
  gearId: number,
  part: number,
  signal: AbortSignal,
): Promise<PartDetails> {
  const { part: details } = await askMaintenanceUse(client, { gear_id: gearId, part }, signal)
  if (!details) throw new AppError('RMT22', 'The part was deleted')
  return details
}

/** Returns the day of a bike's first ride, or null. */
export async function readFirstRide(
  client: Client,
  gearId: number,
  signal: AbortSignal,
): Promise<Day | null> {
  const [first] = unwrap(
    await client
      .from('rides')
      .select('started_at')
      .eq('gear_id', gearId)
      .not('started_at', 'is', null)
      .order('started_at')
      .limit(1)
      .abortSignal(signal),
  )
  return first?.started_at ? dayOf(first.started_at) : null
}
