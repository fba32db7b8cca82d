import * as v from 'valibot'

import { END_REASONS } from '../../../supabase/functions/_shared/limits.ts'
import type { Client } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { unwrap } from '../../lib/errors.ts'
import { type Request, write, Written } from '../../lib/writes.ts'
import type { Values } from '../items/fields.ts'

/** The reason why an item ended, or null if it is unknown. */
export type Reason = (typeof END_REASONS)[number] | null

/** An item to add: a part to install on a bike, or an item's replacement. */
export type PutOn =
  | { bikeId: number; part_of: number }
  | ({ replaces: number } & Pick<Values, 'type' | 'name' | 'description' | 'cost'>)

export type Change = {
  day: Day
  take_off: { id: number; ended_as: Reason }[]
  put_on: PutOn[]
}

const WrittenItem = v.looseObject({
  id: v.number(),
  bikeId: v.number(),
  name: v.string(),
  cost: v.number(),
  dateStarted: v.string(),
  dateEnded: v.nullable(v.string()),
  /** The item that this item replaced, or null. */
  replaces: v.nullable(v.number()),
})

export const Changed = v.object({ ended: v.array(WrittenItem), added: v.array(WrittenItem) })

const Answer = v.object({ ...Written.entries, ...Changed.entries })

/** The items that a change wrote. */
export type Changed = v.InferOutput<typeof Answer>

/**
 * Ends and adds items in one transaction. Safe to retry. Throws SavedEarlier with the stored
 * items if an earlier request with the same key was saved with a different change.
 */
export function changeParts(client: Client, change: Change, { key, insteadOf }: Request): Promise<Changed> {
  const instead = insteadOf === null ? {} : { instead_of: insteadOf }
  const args = { change: { request_key: key, ...change, ...instead } }
  return write(client, 'change_parts', args, Answer, key)
}

/** Items, by id, whose end or start moves from one time to another. */
export type DayChange = { from: string; to: string; ended: number[]; started: number[] }

export async function changeDay(client: Client, change: DayChange): Promise<string | null> {
  return (await write(client, 'change_part_day', { change }, Written)).change
}

const usage = { rides: v.number(), distance: v.number(), moving_time: v.number() }

/** Meters and seconds from before the log. The part's usage includes them. */
const earlier = { earlier_distance: v.nullable(v.number()), earlier_moving_time: v.nullable(v.number()) }

const StoredParts = v.object({
  parts: v.array(
    v.object({
      part_id: v.number(),
      /** The part's last item. It ended when the part was stored. */
      item_id: v.number(),
      gear_id: v.number(),
      type: v.nullable(v.string()),
      name: v.string(),
      stored_at: v.string(),
      cost: v.number(),
      days: v.number(),
      ...usage,
      ...earlier,
    }),
  ),
})

export type StoredPart = v.InferOutput<typeof StoredParts>['parts'][number]

export async function readStoredParts(client: Client, signal: AbortSignal): Promise<StoredPart[]> {
  return v.parse(StoredParts, unwrap(await client.rpc('stored_parts').abortSignal(signal))).parts
}
