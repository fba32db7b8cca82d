import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, type Handler, optionalInput, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'

const Input = optionalInput({
  sync_id: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  skip: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1))),
})

export interface Dependencies {
  auth: Auth
  /** The changes as the caller may see them; null for anyone but the owner. */
  readChanges: (token: string, input: NonNullable<v.InferOutput<typeof Input>>) => Promise<unknown>
  log: Log
}

/**
 * POST, only for the owner: which rides the last sync that changed any, or `sync_id`, added, changed and removed, and the parts
 * whose usage changed with them. `skip` leaves out the first rides, and the parts.
 */
export function createHandler({ auth, readChanges, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const changes = await readChanges(token, (await readInput(request, Input)) ?? {})
      if (changes === null) throw new CodedError('forbidden')
      return changes
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
