import type { Auth } from '../_shared/http/auth.ts'
import { bearerToken, hasKey, requireOwner } from '../_shared/http/caller.ts'
import { createEndpoint, type Handler, readInput } from '../_shared/http/http.ts'
import type { Log } from '../_shared/http/log.ts'
import { Input } from './contract.ts'
import type { UpdateRides } from './update-rides.ts'

export interface Dependencies {
  auth: Auth
  /** Lets the schedule call this function. Undefined or empty: no schedule. */
  scheduleKey: string | undefined
  secretKey: string
  updateRides: UpdateRides
  log: Log
}

/** Handles the POST requests of the owner, the schedule and the other functions: syncs bikes and rides from Ride with GPS. */
export function createHandler({ auth, scheduleKey, secretKey, updateRides, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const isSchedule = await hasKey(request, 'x-schedule-key', scheduleKey)
    // The functions for other software have checked the owner's token.
    const isFunction = await hasKey(request, 'x-secret-key', secretKey)
    if (!isSchedule && !isFunction) await requireOwner(bearerToken(request), auth)
    const { check } = await readInput(request, Input)
    return updateRides(isSchedule ? 'schedule' : 'owner', check)
  })
}
