import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, type Handler, NoInput, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'

export interface Dependencies {
  auth: Auth
  /** The garage as the caller may see it; null for anyone but the owner. */
  readGarage: (token: string) => Promise<unknown>
  log: Log
}

/** POST, only for the owner: what each bike was ridden and what it cost, in total and this year. */
export function createHandler({ auth, readGarage, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      await readInput(request, NoInput)
      const garage = await readGarage(token)
      if (garage === null) throw new CodedError('forbidden')
      return garage
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
