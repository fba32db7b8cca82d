import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, Day, type Handler, optionalInput, readInput } from '../_shared/http.ts'
import { compareGroups, groupLifetimes, type Lifetime, type ReadLifetimes } from '../_shared/lifetimes.ts'
import type { Log } from '../_shared/log.ts'

export interface Dependencies {
  auth: Auth
  readLifetimes: ReadLifetimes
  log: Log
}

const Input = optionalInput({
  gear_id: v.optional(v.pipe(v.number(), v.safeInteger())),
  from: v.optional(Day),
  to: v.optional(Day),
})

/**
 * POST, only for the owner: how long parts lasted, by type and name. With `gear_id`, only parts that were on this bike; with
 * `from` and `to`, only those in use between these days, with their complete lifetimes.
 */
export function createHandler({ auth, readLifetimes, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const input = (await readInput(request, Input)) ?? {}
      const lifetimes = await readLifetimes(token)
      if (lifetimes === null) throw new CodedError('forbidden')
      const groups = groupLifetimes(lifetimes.filter((lifetime) => isChosen(lifetime, input)))
      return { groups, comparisons: compareGroups(groups) }
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}

function isChosen(
  lifetime: Lifetime,
  { gear_id, from, to }: NonNullable<v.InferOutput<typeof Input>>,
): boolean {
  const { gear_ids, started, ended } = lifetime
  return (
    (gear_id === undefined || gear_ids.includes(gear_id)) &&
    (from === undefined || ended === null || ended.slice(0, 10) >= from) &&
    (to === undefined || started.slice(0, 10) <= to)
  )
}
