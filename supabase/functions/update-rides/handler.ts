import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { hasScheduleKey, requireOwner } from '../_shared/caller.ts'
import { createEndpoint, type Handler, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import type { UpdateRides } from './update-rides.ts'

export interface Dependencies {
  auth: Auth
  /** The key that lets the schedule in; without one it stays outside. */
  scheduleKey: string | undefined
  updateRides: UpdateRides
  log: Log
}

// There is nothing to say, so a body may be left out; one that says something expects what would not happen.
const Input = v.optional(
  v.pipe(
    v.unknown(),
    // To valibot an array is an object too.
    v.check((body) => !Array.isArray(body)),
    v.strictObject({}),
  ),
)

/** POST, by the owner or the schedule: refreshes bikes and rides from Ride with GPS and answers with what changed. */
export function createHandler({ auth, scheduleKey, updateRides, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const isSchedule = hasScheduleKey(request, scheduleKey)
    if (!isSchedule) await requireOwner(request, auth)
    await readInput(request, Input)
    return updateRides(isSchedule ? 'schedule' : 'owner')
  })
}
