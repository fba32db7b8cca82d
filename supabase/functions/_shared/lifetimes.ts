import type { Json } from '../../database.types.ts'
import { connectAs } from './auth.ts'
import type { Project } from './environment.ts'
import { type MedianKind, typicalOf } from './survival.ts'

/** An item and how far it was ridden, as the SQL function `part_lifetimes` computes it. */
export interface UsedItem {
  id: number
  part_id: number
  gear_id: number
  type: string | null
  name: string
  /** Dollars. */
  cost: number
  /** Wall clock times. `upto` is null while it is in use. */
  since: string
  upto: string | null
  ended_as: string | null
  rides: number
  /** Meters. */
  distance: number
  /** Seconds. */
  moving_time: number
  days: number
}

/** Every item, and the costs of the paid services of parts. */
export interface Used {
  items: UsedItem[]
  services: { part_id: number; cost: number }[]
}

/** Values that an item would have. */
export interface Change {
  id: number
  cost: number
  dateStarted: string
  dateEnded: string | null
}

/** A part over all its items. */
export interface Lifetime {
  part_id: number
  /** The last item, whose bike, type, name and end count for the part. */
  item_id: number
  gear_id: number
  type: string | null
  name: string
  rides: number
  /** Meters. */
  distance: number
  /** Seconds. */
  moving_time: number
  /** Days of its install periods. */
  days: number
  /** Dollars, with the paid services of the part. */
  cost: number
  ended_as: string | null
  running: boolean
  /** Wall clock times of its first install and its end. */
  started: string
  ended: string | null
  item_ids: number[]
  gear_ids: number[]
}

export interface Rates {
  /** Dollars. Null without rides. */
  cost_per_km: number | null
  cost_per_hour: number | null
}

/** The parts of one type and name. */
export interface Group extends Rates {
  type: string | null
  name: string
  lifetimes: (Lifetime & Rates)[]
  /** How many of the lifetimes are finished and have rides. The median, the range and the rates are those of these. */
  finished: number
  median: {
    distance: number
    moving_time: number
    kind: MedianKind
    moving_time_kind: MedianKind
  } | null
  range: Record<'distance' | 'moving_time', [number, number]> | null
  /** How many ended without a reason. */
  ended_without_reason: number
}

/** One group lasted longer than another of the same type. Groups that are not listed overlap or have too few lifetimes. */
interface Comparison {
  type: string | null
  longer: string
  shorter: string
}

/** What row-level security shows; null for anyone but the owner. With `changes`, as if these had been saved. */
export type ReadItems = (token: string, changes?: Change[]) => Promise<Used | null>

export function createReadItems(project: Project): ReadItems {
  return async (token, changes) => {
    const { data, error } = await connectAs(project, token).rpc(
      'part_lifetimes',
      changes && { what_if: changes as unknown as Json },
    )
    if (error) throw error
    return data as unknown as Used | null
  }
}

/** The lifetime of each part, the oldest first. Items that start and end at the same time are work, not part of a lifetime. */
export function lifetimesOf({ items, services }: Used): Lifetime[] {
  const serviceCosts = Map.groupBy(services, ({ part_id }) => part_id)
  return [...Map.groupBy(items, ({ part_id }) => part_id).entries()]
    .flatMap(([part_id, all]) => {
      const periods = all.filter(isPeriod).toSorted((a, b) => (a.since < b.since ? -1 : 1))
      const [first, last] = [periods[0], periods.at(-1)]
      if (!first || !last) return []
      return {
        part_id,
        item_id: last.id,
        gear_id: last.gear_id,
        type: last.type,
        name: last.name,
        rides: sumOf(periods, 'rides'),
        distance: sumOf(periods, 'distance'),
        moving_time: sumOf(periods, 'moving_time'),
        days: sumOf(periods, 'days'),
        cost: sumOf(all, 'cost') + sumOf(serviceCosts.get(part_id) ?? [], 'cost'),
        ended_as: last.ended_as,
        running: last.upto === null,
        started: first.since,
        ended: last.upto,
        item_ids: periods.map(({ id }) => id),
        gear_ids: [...new Set(periods.map(({ gear_id }) => gear_id))].toSorted((a, b) => a - b),
      }
    })
    .toSorted((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : a.part_id - b.part_id))
}

export const isPeriod = ({ since, upto }: Pick<UsedItem, 'since' | 'upto'>) => since !== upto

const sumOf = <Key extends string>(list: readonly Record<Key, number>[], key: Key) =>
  list.reduce((sum, one) => sum + one[key], 0)

/** Whether the part was used up. Everything else has lasted "at least" this long. */
export const isFinished = ({ running, ended_as }: Lifetime) =>
  !running && (ended_as === null || ended_as === 'worn')

/** A part that no ride counts for says nothing about how long parts last: its rides may be older than the tracker. */
const isKnown = ({ rides, distance }: Lifetime) => rides > 0 && distance > 0

/** Names are the owner's words; spelling them with other spaces or capitals doesn't make another part. */
export const keyOf = ({ type, name }: Pick<Lifetime, 'type' | 'name'>) =>
  `${type ?? ''}\n${name.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase()}`

export function groupLifetimes(lifetimes: readonly Lifetime[]): Group[] {
  const groups = Map.groupBy(lifetimes, keyOf)
  return [...groups.values()].map(groupOf)
}

function groupOf(lifetimes: Lifetime[]): Group {
  // The spelling of the part that was installed last.
  const { type, name } = lifetimes.reduce((last, other) => (other.started >= last.started ? other : last))
  const known = lifetimes.filter(isKnown)
  const finished = known.filter(isFinished)
  const typical = (axis: 'distance' | 'moving_time') =>
    typicalOf(known.map((lifetime) => ({ value: lifetime[axis], ended: isFinished(lifetime) })))
  const [distance, moving_time] = [typical('distance'), typical('moving_time')]
  return {
    type,
    name,
    lifetimes: lifetimes.map((lifetime) => ({ ...lifetime, ...ratesOf([lifetime]) })),
    finished: finished.length,
    median: distance &&
      moving_time && {
        distance: distance.value,
        moving_time: moving_time.value,
        kind: distance.kind,
        moving_time_kind: moving_time.kind,
      },
    range:
      finished.length === 0
        ? null
        : { distance: extent(finished, 'distance'), moving_time: extent(finished, 'moving_time') },
    ended_without_reason: finished.filter(({ ended_as }) => ended_as === null).length,
    ...ratesOf(finished),
  }
}

function extent(lifetimes: readonly Lifetime[], axis: 'distance' | 'moving_time'): [number, number] {
  const values = lifetimes.map((lifetime) => lifetime[axis])
  return [Math.min(...values), Math.max(...values)]
}

/** The ratio of the sums, never the mean of ratios. */
export function ratesOf(parts: readonly Pick<Lifetime, 'cost' | 'distance' | 'moving_time'>[]): Rates {
  const [cost, distance, moving_time] = [
    sumOf(parts, 'cost'),
    sumOf(parts, 'distance'),
    sumOf(parts, 'moving_time'),
  ]
  return {
    cost_per_km: distance > 0 ? cost / (distance / 1000) : null,
    cost_per_hour: moving_time > 0 ? cost / (moving_time / 3600) : null,
  }
}

// With 4 against 4, equal products don't overlap in 1 of 35 cases; with 3 against 3, in 1 of 10.
const ENOUGH = 4

/** Groups of the same type of which every finished lifetime is longer than every lifetime of the other. */
export function compareGroups(groups: readonly Group[]): Comparison[] {
  const enough = groups.filter(({ finished }) => finished >= ENOUGH)
  return enough.flatMap((longer) =>
    enough
      .filter(
        (shorter) =>
          shorter.type === longer.type &&
          // Parts that have not ended count, too: one of them may already have lasted longer.
          Math.max(...shorter.lifetimes.map(({ distance }) => distance)) < longer.range!.distance[0],
      )
      .map((shorter) => ({ type: longer.type, longer: longer.name, shorter: shorter.name })),
  )
}
