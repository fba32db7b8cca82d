// POST, only for the owner: what looks wrong in the rides and the log.
import { readProject } from '../_shared/environment.ts'
import { createRpcEndpoint } from '../_shared/rpc-endpoint.ts'

const project = readProject((name) => Deno.env.get(name))

export default { fetch: createRpcEndpoint(project, 'to-check', 'to_check') }
