import type * as v from 'valibot'
import { type Auth, createAuth } from './auth.ts'
import { bearerToken, requireOwner } from './caller.ts'
import { type Environment, readProject } from './environment.ts'
import { CodedError } from './errors.ts'
import { createEndpoint, type Handler, readInput } from './http.ts'
import { createLog, type Log } from './log.ts'
import { connectAs, createQuery, type Query } from './query.ts'

export interface Contract {
  Input: v.GenericSchema
  Answer: v.GenericSchema
}

/** Computes the answer with the caller's rights. Null if the caller may not see anything. */
export type Respond<C extends Contract> = (
  input: v.InferOutput<C['Input']>,
  query: Query,
) => Promise<v.InferOutput<C['Answer']> | null>

export interface Dependencies {
  auth: Auth
  /** Queries run with the rights of the token's user. */
  queryAs: (token: string) => Query
  log: Log
}

export function createOwnerEndpoint<C extends Contract>(
  { Input }: C,
  respond: Respond<C>,
  { auth, queryAs, log }: Dependencies,
): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const answer = await respond(await readInput(request, Input), queryAs(token))
      if (answer === null) throw new CodedError('forbidden')
      return answer
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}

/** Creates the edge function `name`, which handles the owner's POST requests. */
export function endpoint<C extends Contract>(
  name: string,
  contract: C,
  respond: Respond<C>,
  environment: Environment = (variable) => Deno.env.get(variable),
): { fetch: Handler } {
  return { fetch: createOwnerEndpoint(contract, respond, ownerDependencies(name, environment)) }
}

/** Returns what the edge function `name` needs to serve the owner. */
export function ownerDependencies(
  name: string,
  environment: Environment = (variable) => Deno.env.get(variable),
): Dependencies {
  const project = readProject(environment)
  return {
    auth: createAuth(project),
    queryAs: (token) => createQuery(connectAs(project, token)),
    log: createLog(name, []),
  }
}
