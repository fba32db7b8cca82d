import { createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createReadItems } from '../_shared/lifetimes.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'
import { createReadSpending } from './spending.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    readSpending: createReadSpending(project),
    readItems: createReadItems(project),
    log: createLog('spending', []),
  }),
}
