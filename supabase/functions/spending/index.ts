import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './spending.ts'

/** Returns costs by month, bike and type, the costs of riding in a period, and an estimate for the next twelve months. */
export default endpoint('spending', contract, respond)
