import type { Auth } from '../_shared/auth.ts'
import { bearerToken, hasScheduleKey, requireOwner } from '../_shared/caller.ts'
import { createEndpoint, type Handler, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import { Input } from './contract.ts'
import type { UpdateRides } from './update-rides.ts'

export interface Dependencies {
  auth: Auth
  /** Lets the schedule call this function. Undefined or empty: no schedule. */
  scheduleKey: string | undefined
  updateRides: UpdateRides
  log: Log
}

/** Handles the owner's and the schedule's POST requests: syncs bikes and rides from Ride with GPS. */
export function createHandler({ auth, scheduleKey, updateRides, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const isSchedule = hasScheduleKey(request, scheduleKey)
    if (!isSchedule) await requireOwner(bearerToken(request), auth)
    const { check } = await readInput(request, Input)
    return updateRides(isSchedule ? 'schedule' : 'owner', check)
  })
}
