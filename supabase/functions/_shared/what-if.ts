import { type Change, isPeriod, keyOf, lifetimesOf, ratesOf, type Used, type UsedItem } from './lifetimes.ts'

/** What an item would be. Days; without an end, it is in use. */
export interface WhatIf {
  id: number
  dateStarted: string
  dateEnded: string | null
  cost: number
}

/** An item with the values it would have. Null: its own dates leave no room to follow, so it stays as it is. */
export interface Affected {
  item: UsedItem
  change: Change | null
}

/** A day as the log stores it. */
const startOf = (day: string) => `${day}T01:00:00`
const dayOf = (time: string) => time.slice(0, 10)
/** Keeps the time of day of what doesn't change. */
const moved = (stored: string | null, day: string | null) =>
  day === null || (stored !== null && dayOf(stored) === day) ? day && stored : startOf(day)

/**
 * The item, and its neighbors: the items of the same type and name on its bike that end on the day it starts or start on the
 * day it ends. They follow it. Null for an unknown item.
 */
export function affectedBy(items: readonly UsedItem[], whatIf: WhatIf): Affected[] | null {
  const item = items.find(({ id }) => id === whatIf.id)
  if (!item) return null
  const since = moved(item.since, whatIf.dateStarted)!
  const upto = moved(item.upto, whatIf.dateEnded)
  const neighbors = items.filter(
    (other) =>
      other.id !== item.id &&
      other.gear_id === item.gear_id &&
      keyOf(other) === keyOf(item) &&
      isPeriod(other) &&
      isPeriod(item),
  )
  const before = neighbors.filter((other) => other.upto !== null && dayOf(other.upto) === dayOf(item.since))
  const after = neighbors.filter(
    (other) => item.upto !== null && dayOf(other.since) === dayOf(item.upto) && !before.includes(other),
  )
  return [
    { item, change: { id: item.id, cost: whatIf.cost, dateStarted: since, dateEnded: upto } },
    ...before.map((other) => ({
      item: other,
      change: changeOf(other, other.since, dayOf(since) === dayOf(item.since) ? other.upto : since),
    })),
    ...after.map((other) => ({
      item: other,
      change: changeOf(other, upto === item.upto ? other.since : (upto ?? other.since), other.upto),
    })),
  ]
}

function changeOf({ id, cost }: UsedItem, dateStarted: string, dateEnded: string | null): Change | null {
  return dateEnded !== null && dateStarted >= dateEnded ? null : { id, cost, dateStarted, dateEnded }
}

/** What the part of an item was ridden and costs. Null without a lifetime. */
function figuresOf(used: Used, { part_id }: UsedItem) {
  const part = lifetimesOf({
    items: used.items.filter((item) => item.part_id === part_id),
    services: used.services.filter((service) => service.part_id === part_id),
  })[0]
  if (!part) return null
  const { distance, moving_time, days, cost, running } = part
  return { distance, moving_time, days, cost, running, ...ratesOf([part]) }
}

/** The parts of the item and its neighbors, as they are and as they would be. */
export function compareUsed(affected: readonly Affected[], stored: Used, changed: Used) {
  return affected.map(({ item, change }) => ({
    item_id: item.id,
    name: item.name,
    follows: change !== null,
    dateStarted: change?.dateStarted ?? item.since,
    dateEnded: change ? change.dateEnded : item.upto,
    cost: change?.cost ?? item.cost,
    before: figuresOf(stored, item),
    after: figuresOf(changed, item),
  }))
}
