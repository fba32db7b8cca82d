// POST, only for the owner: what each bike was ridden and what it cost, in total and this year.
import { readProject } from '../_shared/environment.ts'
import { createRpcEndpoint } from '../_shared/rpc-endpoint.ts'

const project = readProject((name) => Deno.env.get(name))

export default { fetch: createRpcEndpoint(project, 'garage', 'garage') }
