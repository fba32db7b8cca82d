import { createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createReadLifetimes } from '../_shared/lifetimes.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    readLifetimes: createReadLifetimes(project),
    log: createLog('part-lifetimes', []),
  }),
}
