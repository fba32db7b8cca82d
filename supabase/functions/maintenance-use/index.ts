import { createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'
import { createUsageStore } from './usage.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    ...createUsageStore(project),
    log: createLog('maintenance-use', []),
  }),
}
