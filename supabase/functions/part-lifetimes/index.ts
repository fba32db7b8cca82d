import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './part-lifetimes.ts'

/** How long parts lasted, by type and name; or what an item would be like with other values. */
export default endpoint('part-lifetimes', contract, respond)
