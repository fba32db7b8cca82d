import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

/** Returns the usage of a bike, its items and their parts, and if requested the bike's timeline. */
export default endpoint('maintenance-use', contract, respond)
