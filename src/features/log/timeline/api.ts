import type { Timeline, TimelineCall } from '../../../../supabase/functions/maintenance-use/contract.ts'
import type { Client } from '../../../lib/backend.ts'
import { callFunction } from '../../../lib/functions.ts'

export type TimelineData = Timeline
export type Month = Timeline['months'][number]

export async function readTimeline(
  client: Client,
  gearId: number,
  signal: AbortSignal,
): Promise<TimelineData> {
  const body = { gear_id: gearId, timeline: true } as const
  const { months, services } = await callFunction<TimelineCall>(client, 'maintenance-use', { body, signal })
  return { months, services }
}
