import { createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'
import { createReadRideDays, createReadTasks } from '../_shared/service-tasks.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    readTasks: createReadTasks(project),
    readRideDays: createReadRideDays(project),
    log: createLog('service-due', []),
  }),
}
