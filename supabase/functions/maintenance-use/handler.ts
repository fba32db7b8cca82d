import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
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

/** POST `{"gear_id": n}`, only for the owner: the usage of a bike and of each item of its log. */
export function createHandler({ auth, readUsage, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const { gear_id } = await readInput(request, Input)
      const usage = await readUsage(token, gear_id)
      if (usage === null) throw new CodedError('unknown_bike')
      return usage
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
