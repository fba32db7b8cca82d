import type { Lifetime } from '../_shared/contracts/lifetimes.ts'
import type { Respond } from '../_shared/http/endpoint.ts'
import {
  compareGroups,
  familiesOf,
  groupLifetimes,
  lifetimesByEnd,
  readUsed,
} from '../_shared/parts/lifetimes.ts'
import type * as contract from './contract.ts'
import { compareWhatIf } from './what-if.ts'

export const respond: Respond<typeof contract> = async (input, query) => {
  const used = await readUsed(query)
  if (used === null) return null
  if ('what_if' in input) return { what_if: await compareWhatIf(input.what_if, used, query) }
  const groups = groupLifetimes(lifetimesByEnd(used).filter((lifetime) => isChosen(lifetime, input)))
  return { groups, families: familiesOf(groups), comparisons: compareGroups(groups) }
}

function isChosen({ gear_ids, started, ended }: Lifetime, { gear_id, from, to }: contract.Filter): boolean {
  return (
    (gear_id === undefined || gear_ids.includes(gear_id)) &&
    (from === undefined || ended === null || ended.slice(0, 10) >= from) &&
    (to === undefined || started.slice(0, 10) <= to)
  )
}
