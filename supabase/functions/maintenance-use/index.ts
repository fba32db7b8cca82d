import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

/** Returns the usage of a bike, its items and their parts. On request, also returns the bike's timeline or a part's details. */
export default endpoint('maintenance-use', contract, respond)
