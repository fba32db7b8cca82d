import { createAccess } from '../_shared/commands/access.ts'
import { readProject, readSecretKey } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { connectWithSecretKey, createQuery } from '../_shared/query.ts'
import { createApi } from './handler.ts'

const environment = (name: string) => Deno.env.get(name)
const secretKey = readSecretKey(environment)

/** Serves the API for other software, to anyone with a token. */
export default {
  fetch: createApi({
    access: createAccess({
      query: createQuery(connectWithSecretKey(readProject(environment).url, secretKey)),
      now: Date.now,
    }),
    log: createLog('api', [secretKey]),
  }),
}
