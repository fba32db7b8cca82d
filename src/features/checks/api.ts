import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

const Ride = v.object({ id: v.number(), name: v.nullable(v.string()), started_at: v.nullable(v.string()) })

const line = {
  /** Names the finding and its facts. */
  key: v.string(),
  rides: v.array(Ride),
  items: v.array(v.object({ id: v.number(), name: v.string() })),
}
const gear_id = v.number()
const ride_count = v.number()
const item_count = v.number()
/** Meters. */
const distance = v.number()
/** Seconds. */
const time = v.nullable(v.number())

const Line = v.variant('kind', [
  v.object({ ...line, kind: v.literal('no_bike'), ride_count, distance, of_gone_bikes: v.number() }),
  v.object({ ...line, kind: v.literal('gone_bike'), gear_id, ride_count, distance }),
  v.object({ ...line, kind: v.literal('wrong_bike'), gear_id, likely: v.number(), ride_count }),
  v.object({
    ...line,
    kind: v.literal('same_ride'),
    overlap: v.number(),
    shorter: v.number(),
    distance: v.nullable(distance),
  }),
  v.object({
    ...line,
    kind: v.picklist([
      'date',
      'moving_time',
      'max_speed',
      'average_speed',
      'distance',
      'time',
      'no_distance',
    ]),
    gear_id: v.nullable(gear_id),
    /** What the rule found: km/h, meters or seconds. */
    value: v.nullable(v.number()),
    distance: v.nullable(distance),
    duration: time,
    moving_time: time,
  }),
  v.object({ ...line, kind: v.literal('skipped'), ride_id: v.number(), field: v.string() }),
  v.object({ ...line, kind: v.literal('skipped_others'), ride_count }),
  v.object({
    ...line,
    kind: v.picklist(['no_part', 'two_parts']),
    gear_id,
    family: v.string(),
    /** Front, rear or both; null for parts that have none. */
    positions: v.nullable(v.array(v.string())),
    since: v.string(),
    /** Null: until today. */
    until: v.nullable(v.string()),
    days: v.number(),
    ride_count,
    distance,
  }),
  v.object({ ...line, kind: v.literal('parts_in_use'), gear_id, item_count }),
  v.object({
    ...line,
    kind: v.literal('late_end'),
    gear_id,
    item_count,
    until: v.string(),
    last_ride: v.string(),
    days: v.number(),
  }),
])

const Answer = v.object({ lines: v.array(Line), left_out: v.number() })

/** Something that looks wrong. */
export type Line = v.InferOutput<typeof Line>
export type Checks = v.InferOutput<typeof Answer>

/** What looks wrong in the rides and the log, except for what was dismissed. */
export async function readChecks(client: Client, signal: AbortSignal): Promise<Checks> {
  return v.parse(Answer, await callFunction(client, 'to-check', { body: {}, signal }))
}

export function dismiss(client: Client, key: string): Promise<unknown> {
  const write = async () =>
    unwrap(
      await client
        .from('dismissed_checks')
        .upsert({ key }, { onConflict: 'key', ignoreDuplicates: true })
        .select('id'),
    )
  return settleWrite(write, write)
}

export function bringBack(client: Client, key: string): Promise<unknown> {
  const write = async () => unwrap(await client.from('dismissed_checks').delete().eq('key', key).select('id'))
  return settleWrite(write, write)
}
