import * as v from 'valibot'
import type { Respond } from '../_shared/endpoint.ts'
import { CodedError } from '../_shared/errors.ts'
import * as contract from './contract.ts'

export const respond: Respond<typeof contract> = async (input, query) => {
  const { gear_id, day } = input
  const [usage, timeline] = await Promise.all([
    query('maintenance_use', v.nullable(contract.Usage), { gear_id, day }),
    input.timeline ? query('bike_timeline', v.nullable(contract.Timeline), { gear_id }) : null,
  ])
  if (usage === null) throw new CodedError('unknown_bike')
  return timeline === null ? usage : { ...usage, ...timeline }
}
