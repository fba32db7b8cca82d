import * as v from 'valibot'
import { type Call, Count, Id, Instant, objectInput } from '../_shared/contracts/fields.ts'
import { PartChange, RideChange } from '../_shared/contracts/ride-changes.ts'

export const Input = v.optional(
  objectInput({
    /** By default, the last sync that changed rides. */
    sync_id: v.optional(v.pipe(Id, v.minValue(1))),
    /** The number of rides to skip. If it isn't 0, parts are omitted. */
    skip: v.optional(v.pipe(Count, v.maxValue(2 ** 31 - 1))),
  }),
  {},
)

export const Answer = v.strictObject({
  /** Null if no sync matches. */
  sync: v.nullable(
    v.strictObject({
      id: Id,
      started_at: Instant,
      outcome: v.picklist(['running', 'ok', 'failed', 'interrupted']),
      added: Count,
      changed: Count,
      removed: Count,
    }),
  ),
  /** At most 50. */
  rides: v.array(RideChange),
  /** The 50 parts whose usage changed most. Empty if rides are skipped. */
  parts: v.array(PartChange),
  part_count: Count,
  /** The previous sync that changed rides. Null if there is none. */
  older: v.nullable(Id),
})

export type RideChanges = v.InferOutput<typeof Answer>
export type RideChangesCall = Call<'ride-changes', typeof Input, typeof Answer>
