import * as v from 'valibot'
import { Count, Id, Instant } from './fields.ts'

const sync = {
  id: Id,
  finished_at: Instant,
  /** Rows of the trip list, including skipped rows. */
  fetched: Count,
  /** Rides that are new, changed, or no longer on Ride with GPS. */
  added: Count,
  changed: Count,
  removed: Count,
  /** Rows skipped because their id, distance or time is unreadable. */
  skipped: Count,
  /** The first 100 skipped rows, one per line: the ride's id, or # and the row's list position, then the unreadable field. */
  skipped_rows: v.string(),
  /** Rides that the list lacks but that were not removed. */
  pending_removals: Count,
  /** Why rides were not removed. `wrong_count` also occurs if none are missing: the list and its count disagree. */
  mismatch: v.nullable(
    v.picklist(['empty_list', 'many_missing', 'unreadable_count', 'wrong_count', 'rows_without_id']),
  ),
}

/** The result of the SQL function `finish_ride_sync`: a row of `ride_syncs`. */
export const FinishedSync = v.strictObject(sync)

export const Synced = v.strictObject({
  status: v.literal('ok'),
  /** The number of bikes in the gear list. */
  bikes: Count,
  ...sync,
})

const None = v.literal(0)

/** The answer to a check if nothing has changed, or if it is too early to ask Ride with GPS again. */
const Unchanged = v.strictObject({
  status: v.literal('unchanged'),
  bikes: None,
  fetched: None,
  added: None,
  changed: None,
  removed: None,
  skipped: None,
})

export const UpdatedRides = v.variant('status', [Synced, Unchanged])

export type FinishedSync = v.InferOutput<typeof FinishedSync>
export type UpdatedRides = v.InferOutput<typeof UpdatedRides>
