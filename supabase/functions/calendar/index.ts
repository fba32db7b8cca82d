import { readProject, readSecretKey } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'
import { createFeedStore } from './store.ts'

const environment = (name: string) => Deno.env.get(name)
const secretKey = readSecretKey(environment)

export default {
  fetch: createHandler({
    store: createFeedStore(readProject(environment).url, secretKey),
    now: Date.now,
    log: createLog('calendar', [secretKey]),
  }),
}
