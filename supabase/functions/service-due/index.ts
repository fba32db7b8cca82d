import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './service-due.ts'

/** Returns service tasks with their used share and likely due date. On request, also explains a forecast. */
export default endpoint('service-due', contract, respond)
