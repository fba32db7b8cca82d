import { atom } from 'jotai'
import * as v from 'valibot'

import { notifyFailure } from '../../../components/toasts.tsx'
import { backendAtom, type Client } from '../../../lib/backend.ts'
import { messageFor, toAppError } from '../../../lib/errors.ts'
import { callFunction } from '../../../lib/functions.ts'
import { resourceAtom } from '../../../lib/resource.ts'

const text = v.nullable(v.string())
const number = v.nullable(v.number())

const Facts = v.object({
  name: text,
  gear_id: number,
  /** Wall clock time where the ride started. */
  started_at: text,
  time_zone: v.string(),
  distance: number,
  duration: number,
  moving_time: number,
  max_speed: number,
  avg_speed: number,
  avg_hr: number,
  max_hr: number,
  avg_watts: number,
  max_watts: number,
  avg_cad: number,
  elevation_gain: number,
  is_stationary: v.boolean(),
})

/** Null before: added. Null after: removed. */
const RideChange = v.object({ ride_id: v.number(), before: v.nullable(Facts), after: v.nullable(Facts) })

const PartChange = v.object({
  part_id: v.number(),
  name: v.string(),
  /** The bike of the part's last item. */
  gear_id: v.number(),
  rides: v.number(),
  distance: v.number(),
  moving_time: v.number(),
  /** The ride that changed the part most. */
  ride: RideChange,
  counted_before: v.boolean(),
  counted_after: v.boolean(),
})

const Changes = v.object({
  sync: v.nullable(
    v.object({
      id: v.number(),
      started_at: v.string(),
      outcome: v.string(),
      added: v.number(),
      changed: v.number(),
      removed: v.number(),
    }),
  ),
  rides: v.array(RideChange),
  parts: v.array(PartChange),
  part_count: v.number(),
  older: v.nullable(v.number()),
})

export type Facts = v.InferOutput<typeof Facts>
export type RideChange = v.InferOutput<typeof RideChange>
export type PartChange = v.InferOutput<typeof PartChange>
export type Changes = v.InferOutput<typeof Changes>

async function readChanges(client: Client, body: { sync_id?: number; skip?: number }, signal: AbortSignal) {
  return v.parse(Changes, await callFunction(client, 'ride-changes', { body, signal }))
}

/** What a sync changed; undefined: the last one that changed anything. */
export const changesAtomOf = (sync?: number) =>
  resourceAtom((get, { signal }) =>
    readChanges(get(backendAtom).client, sync === undefined ? {} : { sync_id: sync }, signal),
  )

/** Reads the rides of a sync after the first `skip`. Resolves to null after a failure. */
export const moreRidesAtom = atom(null, async (get, _set, sync: number, skip: number) => {
  try {
    const { client } = get(backendAtom)
    return (await readChanges(client, { sync_id: sync, skip }, new AbortController().signal)).rides
  } catch (cause) {
    notifyFailure(`The rides could not be loaded. ${messageFor(toAppError(cause))}`)
    return null
  }
})
