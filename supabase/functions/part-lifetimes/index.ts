import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './part-lifetimes.ts'

/** Returns the lifetimes of parts by type and name, the effect of other values for an item, or the wear of a part. */
export default endpoint('part-lifetimes', contract, respond)
