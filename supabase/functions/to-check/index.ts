import { nullable } from 'valibot'
import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'

/** What looks wrong in the rides and the log. */
export default endpoint('to-check', contract, (_input, query) => query('to_check', nullable(contract.Answer)))
