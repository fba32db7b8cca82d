import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

/** Dollars; null without rides. */
const rates = { cost_per_km: v.nullable(v.number()), cost_per_hour: v.nullable(v.number()) }

const Lifetime = v.object({
  part_id: v.number(),
  /** The last item, whose bike, name and end count for the part. */
  item_id: v.number(),
  gear_id: v.number(),
  name: v.string(),
  rides: v.number(),
  /** Meters. */
  distance: v.number(),
  /** Seconds. */
  moving_time: v.number(),
  days: v.number(),
  /** Dollars. */
  cost: v.number(),
  ended_as: v.nullable(v.string()),
  running: v.boolean(),
  started: v.string(),
  ended: v.nullable(v.string()),
  item_ids: v.array(v.number()),
  ...rates,
})

const kind = v.picklist(['median', 'kaplan_meier', 'over'])
const range = v.tuple([v.number(), v.number()])

const Group = v.object({
  type: v.nullable(v.string()),
  name: v.string(),
  lifetimes: v.array(Lifetime),
  finished: v.number(),
  median: v.nullable(
    v.object({ distance: v.number(), moving_time: v.number(), kind, moving_time_kind: kind }),
  ),
  range: v.nullable(v.object({ distance: range, moving_time: range })),
  ended_without_reason: v.number(),
  ...rates,
})

const Answer = v.object({
  groups: v.array(Group),
  comparisons: v.array(v.object({ type: v.nullable(v.string()), longer: v.string(), shorter: v.string() })),
})

export type Lifetime = v.InferOutput<typeof Lifetime>
export type Group = v.InferOutput<typeof Group>
export type Lifetimes = v.InferOutput<typeof Answer>

/** Only parts that were on this bike, or in use between these days. */
export type Filter = { gear_id?: number; from?: Day; to?: Day }

/** How long parts lasted, by type and name. */
export async function readLifetimes(client: Client, filter: Filter, signal: AbortSignal): Promise<Lifetimes> {
  return v.parse(Answer, await callFunction(client, 'part-lifetimes', { body: filter, signal }))
}

/** `was`: the item is only renamed if this is still its name. */
export type Renaming = { id: number; name: string; was?: string | undefined }

const Renamed = v.array(v.object({ id: v.number(), name: v.string(), was: v.string() }))

/** Renames items. Resolves to the renaming that undoes it. */
export function renameItems(client: Client, names: Renaming[]): Promise<Renaming[]> {
  const write = async () => v.parse(Renamed, unwrap(await client.rpc('rename_items', { names })))
  // Repeating it renames nothing again, but then there is nothing to undo it with.
  return settleWrite(write, write)
}
