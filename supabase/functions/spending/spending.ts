import { nullable } from 'valibot'
import { Costs } from '../_shared/contracts/spending.ts'
import type { Respond } from '../_shared/http/endpoint.ts'
import { groupLifetimes, lifetimesOf, readUsed } from '../_shared/parts/lifetimes.ts'
import { spendingOf } from '../_shared/parts/spending.ts'
import type * as contract from './contract.ts'

export const respond: Respond<typeof contract> = async ({ from, to }, query) => {
  const [costs, used] = await Promise.all([
    query('spending', nullable(Costs), { from_day: from, to_day: to }),
    readUsed(query),
  ])
  return costs && used && spendingOf(costs, groupLifetimes(lifetimesOf(used)))
}
