import { readProject, readSecretKey } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { connectWithSecretKey, createQuery } from '../_shared/query.ts'
import { createHandler } from './handler.ts'

const environment = (name: string) => Deno.env.get(name)
const secretKey = readSecretKey(environment)

export default {
  fetch: createHandler({
    query: createQuery(connectWithSecretKey(readProject(environment).url, secretKey)),
    now: Date.now,
    log: createLog('calendar', [secretKey]),
  }),
}
