import { connectAs } from '../_shared/auth.ts'
import type { Project } from '../_shared/environment.ts'
import { type Group, isFinished } from '../_shared/lifetimes.ts'

interface Sums {
  /** Dollars. */
  cost: number
  /** Meters. */
  distance: number
  /** Seconds. */
  moving_time: number
}

/** What the SQL function `spending` computes. The bikes, the types and the total are those of the chosen period. */
export interface Spending {
  /** YYYY-MM-DD in the owner's time zone. */
  today: string
  months: { month: string; gear_id: number; type: string | null; cost: number }[]
  this_year: number
  last_year_to_date: number
  bikes: (Sums & { gear_id: number; distance_of_year: number })[]
  types: { type: string | null; cost: number }[]
  total: Sums
}

/** What row-level security shows of a period; null for anyone but the owner. */
export type ReadSpending = (token: string, from?: string, to?: string) => Promise<Spending | null>

export function createReadSpending(project: Project): ReadSpending {
  return async (token, from, to) => {
    const { data, error } = await connectAs(project, token).rpc('spending', {
      ...(from !== undefined && { from_day: from }),
      ...(to !== undefined && { to_day: to }),
    })
    if (error) throw error
    return data as unknown as Spending | null
  }
}

interface Forecast {
  /** Dollars; null if no part is known well enough. */
  cost: { low: number; high: number } | null
  /** How many parts in use on ridden bikes it counts, and how many it can't. */
  parts: { known: number; unknown: number }
}

// A range needs at least three lifetimes, like on the screen.
const ENOUGH = 3

/**
 * The cost of replacing what wears out in the next twelve months, if bikes are ridden as far as in the last 365 days and
 * parts last at least as long as the shortest and at most as long as the longest of their kind.
 */
export function forecastOf(groups: readonly Group[], bikes: Spending['bikes']): Forecast {
  const distances = new Map(bikes.map(({ gear_id, distance_of_year }) => [gear_id, distance_of_year]))
  const parts = { known: 0, unknown: 0 }
  const cost = { low: 0, high: 0 }
  for (const group of groups) {
    const price = priceOf(group)
    for (const { running, gear_id, distance } of group.lifetimes) {
      const ahead = distances.get(gear_id) ?? 0
      if (!running || ahead === 0) continue
      if (price === null || group.range === null || group.finished < ENOUGH) {
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

/** What the newest part of its kind cost, with its services if it is finished. */
function priceOf({ lifetimes }: Group): number | null {
  const priced = lifetimes.filter(({ cost }) => cost > 0)
  const finished = priced.filter(isFinished)
  const candidates = finished.length > 0 ? finished : priced
  return candidates.toSorted((a, b) => (a.started < b.started ? -1 : 1)).at(-1)?.cost ?? null
}

/** How often a part is replaced over the distance ahead, if it and its successors last `lifetime`. */
function replacements(used: number, ahead: number, lifetime: number): number {
  const left = Math.max(0, lifetime - used)
  return ahead < left ? 0 : 1 + Math.floor((ahead - left) / lifetime)
}
