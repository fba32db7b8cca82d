import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

const sums = {
  rides: v.number(),
  /** Meters. */
  distance: v.number(),
  /** Seconds. */
  moving_time: v.number(),
  distance_this_year: v.number(),
  /** Dollars. */
  cost: v.number(),
  cost_this_year: v.number(),
}

const GarageResponse = v.object({
  bikes: v.array(
    v.object({
      gear_id: v.number(),
      ...sums,
      last_ride: v.nullable(v.string()),
      newest_item: v.nullable(v.object({ name: v.string(), dateStarted: v.string() })),
      /** Meters in each of the last 24 months, this month last. */
      months: v.array(v.number()),
    }),
  ),
  total: v.object(sums),
  rides_without_bike: v.number(),
})

export type Garage = v.InferOutput<typeof GarageResponse>

/** What the bikes were ridden and what they cost, in total and this year. */
export async function readGarage(client: Client, signal: AbortSignal): Promise<Garage> {
  return v.parse(GarageResponse, await callFunction(client, 'garage', { body: {}, signal }))
}
