import { readChannels } from '../_shared/channels/channels.ts'
import { endpoint } from '../_shared/http/endpoint.ts'
import { readProject, readSecretKey } from '../_shared/http/environment.ts'
import { connectWithSecretKey } from '../_shared/http/query.ts'
import { createRespond } from './channels.ts'
import * as contract from './contract.ts'

const environment = (name: string) => Deno.env.get(name)
const project = readProject(environment)
// Needs the secret key: the owner's token can't read the browsers' keys or write a channel's state.
const client = connectWithSecretKey(project.url, readSecretKey(environment))

export default endpoint(
  'channels',
  contract,
  createRespond(readChannels('channels', environment, project, client)),
)
