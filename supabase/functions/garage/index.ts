import { nullable } from 'valibot'
import { endpoint } from '../_shared/endpoint.ts'
import * as contract from './contract.ts'

/** What each bike was ridden and what it cost, in total and this year. */
export default endpoint('garage', contract, (_input, query) => query('garage', nullable(contract.Answer)))
