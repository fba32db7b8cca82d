import * as v from 'valibot'

import type { Json } from '../../../../supabase/database.types.ts'
import type { Client } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { unwrap } from '../../../lib/errors.ts'
import { type Request, settleWrite } from '../../../lib/writes.ts'
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

export const SetUp = v.looseObject({ items: v.array(v.looseObject({ name: v.string() })) })

/** The rows that a set-up added. Undo sends them back unchanged. */
export type SetUp = v.InferOutput<typeof SetUp>

/** Adds parts and tasks once per request. Retrying with different parts throws SavedEarlier with the first SetUp. */
export function setUpBike(
  client: Client,
  gear_id: number,
  parts: readonly NewPart[],
  { key, insteadOf }: Request,
): Promise<SetUp> {
  const instead = insteadOf === null ? {} : { instead_of: insteadOf }
  const args = { request_key: key, gear_id, parts: parts as unknown as Json, ...instead }
  const write = async () => v.parse(SetUp, unwrap(await client.rpc('set_up_bike', args)))
  return settleWrite(write, write)
}

export function undoSetUp(client: Client, setUp: SetUp): Promise<unknown> {
  const write = async () => unwrap(await client.rpc('undo_set_up_bike', { written: setUp as Json }))
  return settleWrite(write, write)
}
