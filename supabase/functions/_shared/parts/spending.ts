import type { Group } from '../contracts/lifetimes.ts'
import type { Costs, Spending } from '../contracts/spending.ts'
import { ratesOf } from './lifetimes.ts'

/** Adds the rates of riding, and an estimate for the next twelve months from the lifetimes of all parts. */
export function spendingOf({ bikes, types, total, ...costs }: Costs, groups: readonly Group[]): Spending {
  const { cost, parts } = forecastOf(groups, bikes)
  const { distance, moving_time } = total
  return {
    ...costs,
    next_twelve_months: cost,
    next_twelve_months_parts: parts,
    period: {
      bikes: bikes.map((bike) => {
        const { gear_id, cost, distance, moving_time } = bike
        return Object.assign({ gear_id, cost, distance, moving_time }, ratesOf([bike]))
      }),
      types: types.map((type) => Object.assign(type, ratesOf([{ cost: type.cost, distance, moving_time }]))),
      total: { ...total, ...ratesOf([total]) },
    },
  }
}

interface Forecast {
  cost: Spending['next_twelve_months']
  parts: Spending['next_twelve_months_parts']
}

/**
 * Estimates the cost of replacing worn parts in the next twelve months. Assumes that bikes are ridden as far as in the last
 * 365 days, and that parts last between their group's shortest and longest lifetime.
 */
export function forecastOf(groups: readonly Group[], bikes: Costs['bikes']): Forecast {
  const distances = new Map(bikes.map(({ gear_id, distance_of_year }) => [gear_id, distance_of_year]))
  const parts = { known: 0, unknown: 0 }
  const cost = { low: 0, high: 0 }
  for (const group of groups) {
    const price = priceOf(group)
    for (const { running, gear_id, distance } of group.lifetimes) {
      const ahead = distances.get(gear_id) ?? 0
      if (!running || ahead === 0) continue
      if (price === null || group.range === null || !group.has_range) {
        parts.unknown += 1
        continue
      }
      parts.known += 1
      const [shortest, longest] = group.range.distance
      cost.low += price * replacements(distance, ahead, longest)
      cost.high += price * replacements(distance, ahead, shortest)
    }
  }
  return { cost: parts.known === 0 ? null : cost, parts }
}

/** Returns the price of the newest part that has one. */
function priceOf({ lifetimes }: Group): number | null {
  const oldestFirst = lifetimes.toSorted((a, b) =>
    a.started < b.started ? -1 : Number(a.started > b.started),
  )
  return oldestFirst.findLast(({ price }) => price > 0)?.price ?? null
}

/** Counts the replacements over the distance ahead, if the part and its successors each last `lifetime`. */
function replacements(used: number, ahead: number, lifetime: number): number {
  const left = Math.max(0, lifetime - used)
  return ahead < left ? 0 : 1 + Math.floor((ahead - left) / lifetime)
}
