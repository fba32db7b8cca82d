import type { Timeline } from '../../../../supabase/functions/maintenance-use/contract.ts'
import type { Client } from '../../../lib/backend.ts'
import { askMaintenanceUse } from '../../items/maintenance-use.ts'

export type TimelineData = Timeline
export type Month = Timeline['months'][number]

export async function readTimeline(
  client: Client,
  gearId: number,
  signal: AbortSignal,
): Promise<TimelineData> {
  const question = { gear_id: gearId, timeline: true }
  const { months = [], services = [] } = await askMaintenanceUse(client, question, signal)
  return { months, services }
}
