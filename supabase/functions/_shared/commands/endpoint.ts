import { readProject, readSecretKey } from '../environment.ts'
import type { Handler } from '../http.ts'
import { createLog, type Log } from '../log.ts'
import { connectWithSecretKey, createQuery } from '../query.ts'
import { type Access, createAccess } from './access.ts'

export interface Dependencies {
  access: Access
  log: Log
}

const environment = (variable: string) => Deno.env.get(variable)

/** Creates the edge function `name`, which serves anyone with a token. */
export function tokenEndpoint(
  name: string,
  create: (dependencies: Dependencies) => Handler,
): { fetch: Handler } {
  const secretKey = readSecretKey(environment)
  const query = createQuery(connectWithSecretKey(readProject(environment).url, secretKey))
  return {
    fetch: create({ access: createAccess({ query, now: Date.now }), log: createLog(name, [secretKey]) }),
  }
}
