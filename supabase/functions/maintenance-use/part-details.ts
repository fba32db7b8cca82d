import * as v from 'valibot'
import { groupLifetimes, lifetimesOf, readUsed } from '../_shared/lifetimes.ts'
import type { Query } from '../_shared/query.ts'
import { type PartDetails, PartHistory } from './contract.ts'
import { readWear } from './wear.ts'

/** Reads a part's history, wear and group. Null for an unknown part. */
export async function readPartDetails(part_id: number, query: Query): Promise<PartDetails | null> {
  const [history, wear, used] = await Promise.all([
    query('part_history', v.nullable(PartHistory), { part_id }),
    readWear(part_id, query),
    readUsed(query),
  ])
  if (history === null || wear === null || used === null) return null
  const group = groupLifetimes(lifetimesOf(used)).find(({ lifetimes }) =>
    lifetimes.some((lifetime) => lifetime.part_id === part_id),
  )
  return { ...history, wear, group: group ?? null }
}
