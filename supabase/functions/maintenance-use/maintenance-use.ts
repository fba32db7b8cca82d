import * as v from 'valibot'
import type { Respond } from '../_shared/endpoint.ts'
import { CodedError } from '../_shared/errors.ts'
import * as contract from './contract.ts'
import { readPartDetails } from './part-details.ts'

export const respond: Respond<typeof contract> = async ({ gear_id, day, timeline, part }, query) => {
  const [usage, monthsAndServices, details] = await Promise.all([
    query('maintenance_use', v.nullable(contract.Usage), { gear_id, day }),
    timeline ? query('bike_timeline', v.nullable(contract.Timeline), { gear_id }) : null,
    part === undefined ? undefined : readPartDetails(part, query),
  ])
  if (usage === null) throw new CodedError('unknown_bike')
  return { ...usage, ...monthsAndServices, ...(details !== undefined && { part: details }) }
}
