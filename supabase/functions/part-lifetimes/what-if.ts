import type { UsedItem, UsedItems } from '../_shared/contracts/lifetimes.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { lifetimesOf, readUsed, type WhatIfValues } from '../_shared/parts/lifetimes.ts'
import { partKey } from '../_shared/parts/part-names.ts'
import type { Query } from '../_shared/http/query.ts'
import type { WhatIf, WhatIfItem, WhatIfTotals } from './contract.ts'

/** Compares the parts of an item and its neighbors before and after the change. Throws `unknown_item`. */
export async function compareWhatIf(whatIf: WhatIf, used: UsedItems, query: Query): Promise<WhatIfItem[]> {
  const affected = affectedBy(used.items, whatIf)
  if (affected === null) throw new CodedError('unknown_item')
  const what_if = affected.flatMap(({ change }) => change ?? [])
  return compareUsed(affected, used, (await readUsed(query, what_if)) ?? used)
}

export interface Affected {
  item: UsedItem
  /** Null: the item stays unchanged, because it would end before it starts. */
  change: WhatIfValues | null
}

/** The log stores a day as 1 AM. */
const startOf = (day: string) => `${day}T01:00:00`
const dayOf = (time: string) => time.slice(0, 10)
/** Keeps the stored time of day if the day doesn't change. */
const moved = (stored: string | null, day: string | null) =>
  day === null || (stored !== null && dayOf(stored) === day) ? day && stored : startOf(day)

/**
 * Returns the item and the neighbors that follow its dates: items of the same type and name on its bike that end on its start
 * day or start on its end day. Null for an unknown item.
 */
export function affectedBy(items: readonly UsedItem[], whatIf: WhatIf): Affected[] | null {
  const item = items.find(({ id }) => id === whatIf.id)
  if (!item) return null
  const since = moved(item.since, whatIf.dateStarted)!
  const until = moved(item.until, whatIf.dateEnded)
  const neighbors = items.filter(
    (other) =>
      other.id !== item.id &&
      other.gear_id === item.gear_id &&
      partKey(other) === partKey(item) &&
      other.was_installed &&
      item.was_installed,
  )
  const before = neighbors.filter((other) => other.until !== null && dayOf(other.until) === dayOf(item.since))
  const after = neighbors.filter(
    (other) => item.until !== null && dayOf(other.since) === dayOf(item.until) && !before.includes(other),
  )
  return [
    { item, change: { id: item.id, cost: whatIf.cost, dateStarted: since, dateEnded: until } },
    ...before.map((other) => ({
      item: other,
      change: changeOf(other, other.since, dayOf(since) === dayOf(item.since) ? other.until : since),
    })),
    ...after.map((other) => ({
      item: other,
      change: changeOf(other, until === item.until ? other.since : (until ?? other.since), other.until),
    })),
  ]
}

function changeOf(
  { id, cost }: UsedItem,
  dateStarted: string,
  dateEnded: string | null,
): WhatIfValues | null {
  return dateEnded !== null && dateStarted >= dateEnded ? null : { id, cost, dateStarted, dateEnded }
}

/** Returns a part's totals; null for work. */
function totalsOf(used: UsedItems, { part_id }: UsedItem): WhatIfTotals | null {
  const [part] = lifetimesOf({
    items: used.items.filter((item) => item.part_id === part_id),
    parts: used.parts.filter((part) => part.part_id === part_id),
  })
  if (!part) return null
  const { distance, moving_time, earlier_distance, earlier_moving_time, days, cost, running, ...rest } = part
  const { cost_per_km, cost_per_hour } = rest
  const earlier = { earlier_distance, earlier_moving_time }
  return { distance, moving_time, ...earlier, days, cost, running, cost_per_km, cost_per_hour }
}

export function compareUsed(
  affected: readonly Affected[],
  stored: UsedItems,
  changed: UsedItems,
): WhatIfItem[] {
  return affected.map(({ item, change }) => ({
    item_id: item.id,
    name: item.name,
    follows: change !== null,
    dateStarted: change?.dateStarted ?? item.since,
    dateEnded: change ? change.dateEnded : item.until,
    cost: change?.cost ?? item.cost,
    before: totalsOf(stored, item),
    after: totalsOf(changed, item),
  }))
}
