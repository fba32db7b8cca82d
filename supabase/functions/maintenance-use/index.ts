import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

/** How far a bike, each item of its log, and their parts were ridden. */
export default endpoint('maintenance-use', contract, respond)
