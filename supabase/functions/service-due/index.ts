import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './service-due.ts'

/** How much of each service task is used up, and when it will likely be due. */
export default endpoint('service-due', contract, respond)
