import { nullable } from 'valibot'
import { endpoint } from '../_shared/http/endpoint.ts'
import { Totals } from '../_shared/contracts/garage.ts'
import { ratesOf } from '../_shared/parts/lifetimes.ts'
import * as contract from './contract.ts'

/** Returns each bike's usage and cost, in total and this year. */
export default endpoint('garage', contract, async (_input, query) => {
  const garage = await query('garage', nullable(Totals))
  return garage && { ...garage, total: { ...garage.total, ...ratesOf([garage.total]) } }
})
