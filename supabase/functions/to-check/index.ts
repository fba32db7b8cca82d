import { nullable } from 'valibot'
import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'

/** Returns rides and log entries that look wrong. */
export default endpoint('to-check', contract, (_input, query) => query('to_check', nullable(contract.Answer)))
