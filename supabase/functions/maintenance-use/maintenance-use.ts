import * as v from 'valibot'
import type { Respond } from '../_shared/http/endpoint.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { groupLifetimes, lifetimesByEnd, lifetimesOf, readUsed } from '../_shared/parts/lifetimes.ts'
import type { Query } from '../_shared/http/query.ts'
import * as contract from './contract.ts'
import { readWear } from './wear.ts'

export const respond: Respond<typeof contract> = async ({ gear_id, day, timeline, part }, query) => {
  const [usage, monthsAndServices, details] = await Promise.all([
    query('maintenance_use', v.nullable(contract.Usage), { gear_id, day }),
    timeline ? query('bike_timeline', v.nullable(contract.Timeline), { gear_id }) : null,
    part === undefined ? undefined : readPartDetails(part, query),
  ])
  if (usage === null) throw new CodedError('unknown_bike')
  return { ...usage, ...monthsAndServices, ...(details !== undefined && { part: details }) }
}

/** Reads a part's history, wear and group. Null for an unknown part. */
async function readPartDetails(part_id: number, query: Query): Promise<contract.PartDetails | null> {
  const [history, wear, used] = await Promise.all([
    query('part_history', v.nullable(contract.PartHistory), { part_id }),
    readWear(part_id, query),
    readUsed(query),
  ])
  if (history === null || wear === null || used === null) return null
  const latest = lifetimesOf(used).find((lifetime) => lifetime.part_id === part_id)
  const group = groupLifetimes(lifetimesByEnd(used)).find(({ lifetimes }) =>
    lifetimes.some(({ item_id }) => item_id === latest?.item_id),
  )
  return { ...history, wear, group: group ?? null }
}
