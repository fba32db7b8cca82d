import { createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createReadItems } from '../_shared/lifetimes.ts'
import { createLog } from '../_shared/log.ts'
import { createReadRideDays } from '../_shared/service-tasks.ts'
import { createReadWear } from '../_shared/wear.ts'
import { createHandler } from './handler.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    readItems: createReadItems(project),
    readWear: createReadWear(project),
    readRideDays: createReadRideDays(project),
    log: createLog('part-lifetimes', []),
  }),
}
