import { connectAs, createAuth } from '../_shared/auth.ts'
import { readProject } from '../_shared/environment.ts'
import { createLog } from '../_shared/log.ts'
import { createHandler } from './handler.ts'

const project = readProject((name) => Deno.env.get(name))

export default {
  fetch: createHandler({
    auth: createAuth(project),
    async readChanges(token, { sync_id, skip = 0 }) {
      const input = sync_id === undefined ? { skip } : { sync_id, skip }
      const { data, error } = await connectAs(project, token).rpc('changes_of_sync', input)
      if (error) throw error
      return data
    },
    log: createLog('ride-changes', []),
  }),
}
