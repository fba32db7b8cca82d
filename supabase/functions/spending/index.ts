import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './spending.ts'

/** What was spent, what riding costs, and what the next twelve months will cost. */
export default endpoint('spending', contract, respond)
