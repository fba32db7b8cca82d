import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, type Handler, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import type { ReadUsage } from './usage.ts'

export interface Dependencies {
  auth: Auth
  readUsage: ReadUsage
  log: Log
}

const Input = v.object({ gear_id: v.pipe(v.number(), v.safeInteger()) })

/** POST `{"gear_id": n}`, by the owner alone: how far and how long a bike and each item of its log were ridden. */
export function createHandler({ auth, readUsage, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = await requireOwner(request, auth)
    const { gear_id } = await readInput(request, Input)
    const usage = await readUsage(token, gear_id)
    if (usage === null) throw new CodedError('unknown_bike')
    return usage
  })
}
