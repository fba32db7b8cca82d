import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, Day, type Handler, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import type { UsageStore } from './usage.ts'

export interface Dependencies extends UsageStore {
  auth: Auth
  log: Log
}

const Input = v.object({
  gear_id: v.pipe(v.number(), v.safeInteger()),
  day: v.optional(Day),
  timeline: v.optional(v.boolean()),
})

/**
 * POST `{"gear_id": n}`, only for the owner: the usage of a bike and of each item of its log. With `day`, as it was at the
 * end of that day. With `"timeline": true`, also the rides of each month and when service tasks were done.
 */
export function createHandler({ auth, readUsage, readTimeline, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const { timeline: withTimeline, ...query } = await readInput(request, Input)
      const [usage, timeline] = await Promise.all([
        readUsage(token, query),
        withTimeline && readTimeline(token, query.gear_id),
      ])
      if (usage === null) throw new CodedError('unknown_bike')
      return timeline ? { ...usage, ...timeline } : usage
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
