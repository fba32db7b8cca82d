import type { Json } from '../../../../supabase/database.types.ts'
import type { Client } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { type Request, write } from '../../../lib/writes.ts'
import type { CommonTask } from '../../service/common-tasks.ts'

export type NewPart = {
  type: string
  name: string
  cost: number
  day: Day
  /** In meters; null if unknown. */
  earlier_distance: number | null
  tasks: readonly CommonTask[]
}

/** Adds parts and tasks once per request. Resolves to the change. Retrying with different parts throws SavedEarlier. */
export async function setUpBike(
  client: Client,
  gear_id: number,
  parts: readonly NewPart[],
  { key, insteadOf }: Request,
): Promise<string | null> {
  const instead = insteadOf === null ? {} : { instead_of: insteadOf }
  const args = { request_key: key, gear_id, parts: parts as unknown as Json, ...instead }
  return (await write(client, 'set_up_bike', args, key)).change
}
