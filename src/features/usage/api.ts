import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

const ridden = { rides: v.number(), distance: v.number(), moving_time: v.number() }

const Answer = v.object({
  gear_id: v.number(),
  total: v.object(ridden),
  items: v.array(v.object({ id: v.number(), ...ridden })),
})

/** Rides, metres and seconds in motion. */
export type Ridden = v.InferOutput<typeof Answer>['total']

export type Usage = { total: Ridden; byItem: ReadonlyMap<number, Ridden> }

/** What was ridden on a bike, and on each item of its log. */
export async function readUsage(client: Client, gearId: number, signal: AbortSignal): Promise<Usage> {
  const answer = await callFunction(client, 'maintenance-use', { body: { gear_id: gearId }, signal })
  const { total, items } = v.parse(Answer, answer)
  return { total, byItem: new Map(items.map((item) => [item.id, item])) }
}
