import { nullable } from 'valibot'
import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'

/** Returns what was ridden by month and by year, of a bike or of all rides. */
export default endpoint('ride-years', contract, async ({ gear }, query) =>
  query(
    'ride_years',
    nullable(contract.Answer),
    gear === 'none' ? { without_bike: true } : { gear_id: gear },
  ),
)
