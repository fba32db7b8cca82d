import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'

const ridden = { rides: v.number(), distance: v.number(), moving_time: v.number() }

const UsageResponse = v.object({
  gear_id: v.number(),
  total: v.object(ridden),
  items: v.array(v.object({ id: v.number(), ...ridden })),
  parts: v.array(v.object({ part_id: v.number(), ...ridden })),
})

/** Usage: number of rides, meters and seconds of moving time. */
export type Ridden = v.InferOutput<typeof UsageResponse>['total']

/** `byPart` has the lifetimes of the parts that the bike's items belong to, over all bikes. */
export type Usage = {
  total: Ridden
  byItem: ReadonlyMap<number, Ridden>
  byPart: ReadonlyMap<number, Ridden>
}

/** Reads the usage of a bike and of each item in its log. */
export async function readUsage(client: Client, gearId: number, signal: AbortSignal): Promise<Usage> {
  const response = await callFunction(client, 'maintenance-use', { body: { gear_id: gearId }, signal })
  const { total, items, parts } = v.parse(UsageResponse, response)
  return {
    total,
    byItem: new Map(items.map((item) => [item.id, item])),
    byPart: new Map(parts.map((part) => [part.part_id, part])),
  }
}

/** Reads the day of a bike's first ride; null if it has none. */
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
