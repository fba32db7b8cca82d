import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, hasScheduleKey, requireOwner } from '../_shared/caller.ts'
import { createEndpoint, type Handler, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import type { UpdateRides } from './update-rides.ts'

export interface Dependencies {
  auth: Auth
  /** Lets the schedule call this function. Undefined or empty: no schedule. */
  scheduleKey: string | undefined
  updateRides: UpdateRides
  log: Log
}

// The function has no parameters, so the body may be missing or {}.
const Input = v.optional(
  v.pipe(
    v.unknown(),
    // valibot accepts arrays as objects.
    v.check((body) => !Array.isArray(body)),
    v.strictObject({}),
  ),
)

/** POST, for the owner or the schedule: syncs bikes and rides from Ride with GPS and answers with what changed. */
export function createHandler({ auth, scheduleKey, updateRides, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const isSchedule = hasScheduleKey(request, scheduleKey)
    if (!isSchedule) await requireOwner(bearerToken(request), auth)
    await readInput(request, Input)
    return updateRides(isSchedule ? 'schedule' : 'owner')
  })
}
