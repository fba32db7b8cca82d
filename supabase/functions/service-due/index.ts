import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'
import { respond } from './service-due.ts'

/** Returns service tasks with the share used and the likely due date, and on request explains a forecast. */
export default endpoint('service-due', contract, respond)
