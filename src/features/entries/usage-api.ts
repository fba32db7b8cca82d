import type { Measurement, UsageCall } from '../../../supabase/functions/maintenance-use/contract.ts'
import type * as contract from '../../../supabase/functions/maintenance-use/contract.ts'
import type { Client } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import type { Uncounted } from '../../lib/waiting.ts'
import { AppError } from '../../lib/errors.ts'
import { askMaintenanceUse } from './maintenance-use.ts'

export type { Measurement }

export type Period = Uncounted<contract.PartDetails['periods'][number]>

export type PartDetails = Omit<contract.PartDetails, 'periods'> & { periods: readonly Period[] }

/** Distance in meters, moving time in seconds. */
export type UsageTotals = UsageCall['answer']['total']

/** `byPart` covers each part's lifetime on all bikes. */
export type Usage = {
  /** The day of the bike's first ride. Null: none. */
  firstRide: Day | null
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
  const { first_ride, total, items, parts } = await askMaintenanceUse(client, question, signal)
  return {
    firstRide: first_ride,
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
