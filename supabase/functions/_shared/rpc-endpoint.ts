import { type Auth, connectAs, createAuth } from './auth.ts'
import { bearerToken, requireOwner } from './caller.ts'
import type { Project } from './environment.ts'
import { CodedError } from './errors.ts'
import { createEndpoint, type Handler, NoInput, readInput } from './http.ts'
import { createLog, type Log } from './log.ts'

export interface Dependencies {
  auth: Auth
  /** The answer as the caller may see it; null for anyone but the owner. */
  read: (token: string) => Promise<unknown>
  log: Log
}

/** POST without parameters, only for the owner: answers with what `read` returns. */
export function createHandler({ auth, read, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      await readInput(request, NoInput)
      const answer = await read(token)
      if (answer === null) throw new CodedError('forbidden')
      return answer
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}

/** An endpoint that answers with what a SQL function without parameters returns to the caller. */
export function createRpcEndpoint(project: Project, name: string, rpc: 'garage' | 'to_check'): Handler {
  return createHandler({
    auth: createAuth(project),
    async read(token) {
      const { data, error } = await connectAs(project, token).rpc(rpc)
      if (error) throw error
      return data
    },
    log: createLog(name, []),
  })
}
