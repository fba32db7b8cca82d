import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './part-lifetimes.ts'

/** Returns the lifetimes of parts by type and name, or the effect of hypothetical values for an item. */
export default endpoint('part-lifetimes', contract, respond)
