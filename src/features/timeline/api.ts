import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

const Answer = v.object({
  months: v.array(v.object({ month: v.string(), rides: v.number(), distance: v.number() })),
  services: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      day: v.string(),
      /** The item of the part. Null for a task of the bike. */
      item_id: v.nullable(v.number()),
      /** The item that has the cost. */
      paid_item_id: v.nullable(v.number()),
    }),
  ),
})

/** The rides of each month, in meters, and when service tasks were done. */
export type TimelineData = v.InferOutput<typeof Answer>
export type Month = TimelineData['months'][number]

export async function readTimeline(
  client: Client,
  gearId: number,
  signal: AbortSignal,
): Promise<TimelineData> {
  const body = { gear_id: gearId, timeline: true }
  return v.parse(Answer, await callFunction(client, 'maintenance-use', { body, signal }))
}
