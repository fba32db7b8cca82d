import * as v from 'valibot'
import { AXES, byRideAxis, RIDE_AXES, type RideAxis } from '../axes.ts'
import type { Earlier, Rates } from '../contracts/fields.ts'
import {
  type Comparison,
  type Family,
  type Group,
  type Lifetime,
  type PartTotals,
  UsedColumns,
  type UsedItem,
  type UsedItems,
} from '../contracts/lifetimes.ts'
import type { KindAndPosition } from '../kinds.ts'
import { partKey } from './part-names.ts'
import type { Query } from '../http/query.ts'
import { typicalOf } from './survival.ts'

/** Reads all items and the totals of their parts. `what_if` replaces stored values. Null if the caller may not see anything. */
export async function readUsed(query: Query, what_if?: WhatIfValues[]): Promise<UsedItems | null> {
  const used = await query('part_lifetimes', v.nullable(UsedColumns), { what_if })
  return used && usedRows(used)
}

/** Hypothetical values for an item. Null `dateEnded`: in use. */
export type WhatIfValues = Pick<UsedItem, 'id' | 'cost'> & { dateStarted: string; dateEnded: string | null }

export const usedRows = ({ items, parts }: UsedColumns): UsedItems => ({
  items: rowsOf(items),
  parts: rowsOf(parts),
})

type Columns<Row> = { [Column in keyof Row]: Row[Column][] }

function rowsOf<Row extends { part_id: number }>(columns: Columns<Row>): Row[] {
  const entries = Object.entries<unknown[]>(columns)
  return columns.part_id.map(
    (_, row) => Object.fromEntries(entries.map(([name, values]) => [name, values[row]])) as unknown as Row,
  )
}

/**
 * Describes the lifetime of each part that was installed, oldest first. With spares, also of parts that were stored on the day they
 * were bought.
 */
export function lifetimesOf({ items, parts }: UsedItems, withSpares = false): Lifetime[] {
  const byPart = (keeps: (item: UsedItem) => boolean) =>
    Map.groupBy(items.filter(keeps), ({ part_id }) => part_id)
  const installed = byPart(({ was_installed }) => was_installed)
  const stored = byPart(({ ended_as }) => withSpares && ended_as === 'stored')
  return parts
    .flatMap((totals) =>
      lifetimeOf(totals, installed.get(totals.part_id) ?? stored.get(totals.part_id) ?? []),
    )
    .toSorted((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : a.part_id - b.part_id))
}

/** Describes parts as lifetimesOf does, but one that was at both ends once for each, because front and rear wear differently. */
export function lifetimesByEnd(used: UsedItems): Lifetime[] {
  return lifetimesOf(used).flatMap((part) => {
    const ends = Object.entries(part.by_position ?? {})
    if (ends.length < 2) return part
    const items = used.items.filter(({ id }) => part.item_ids.includes(id))
    return ends.flatMap(([end, sums]) =>
      atEnd(part, sums, inOrder(items.filter(({ position }) => position === end))),
    )
  })
}

type EndTotals = NonNullable<NonNullable<PartTotals['by_position']>['front']>

function atEnd(part: Lifetime, sums: EndTotals, periods: UsedItem[]): Lifetime[] {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return []
  const isLast = last.id === part.item_id
  const { gear_id, type, name, position, until: ended } = last
  const ofEnd = {
    ...part,
    ...sums,
    earlier_distance: null,
    earlier_moving_time: null,
    // Nobody knows which end the price was for.
    ...byRate(() => null),
    item_id: last.id,
    gear_id,
    type,
    name,
    position,
    // The part only ended where it was last.
    running: isLast && part.running,
    ended_as: isLast ? part.ended_as : 'moved',
    finished: isLast && part.finished,
    started: first.since,
    ended,
    item_ids: periods.map(({ id }) => id),
    gear_ids: bikesOf(periods),
  }
  return [ofEnd]
}

const inOrder = (items: readonly UsedItem[]) => items.toSorted((a, b) => (a.since < b.since ? -1 : 1))

const bikesOf = (items: readonly UsedItem[]) =>
  [...new Set(items.map(({ gear_id }) => gear_id))].toSorted((a, b) => a - b)

function lifetimeOf(totals: PartTotals, items: UsedItem[]): Lifetime[] {
  const periods = inOrder(items)
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return []
  const { gear_id, type, name, position, ended_as, until: ended } = last
  const running = ended === null
  // Without a price, a rate based only on services would look too cheap.
  const rates = ratesOf(totals.price === 0 ? [] : [totals])
  const lifetime = {
    ...totals,
    item_id: last.id,
    gear_id,
    type,
    name,
    position,
    ...byRate((key, axis) => (isComplete(totals, axis) ? rates[key] : null)),
    ended_as,
    running,
    finished: !running && (ended_as === null || ended_as === 'worn'),
    started: first.since,
    ended,
    item_ids: periods.map(({ id }) => id),
    gear_ids: bikesOf(periods),
  }
  return [lifetime]
}

const sumOf = <Key extends string>(list: readonly Record<Key, number>[], key: Key) =>
  list.reduce((sum, one) => sum + one[key], 0)

/** Parts without usage don't count in medians and ranges, because their rides may predate the tracker. */
const hasUsage = ({ distance }: Lifetime) => distance > 0

/** Earlier miles without earlier hours leave the hours incomplete, and vice versa. */
const isComplete = (part: Earlier, axis: RideAxis) =>
  part[AXES[axis].ride.earlier] !== null || RIDE_AXES.every((other) => !part[AXES[other].ride.earlier])

// With two lifetimes, a list is clearer; three have a shortest, a middle and a longest.
const MIN_FOR_MEDIAN = 3
// The lifetimes of two equal products don't overlap by chance in 1 of 35 cases with four each, in 1 of 10 with three each.
const MIN_TO_COMPARE = 4

/** Parts of one name are compared at each end by themselves. */
const groupKey = (part: Lifetime) => `${partKey(part)}${part.position === null ? '' : `\n${part.position}`}`

export function groupLifetimes(lifetimes: readonly Lifetime[]): Group[] {
  const groups = [...Map.groupBy(lifetimes, groupKey)].map(([key, ofGroup]) => groupOf(key, ofGroup))
  const comparable = groups.filter(({ finished }) => finished >= MIN_TO_COMPARE)
  return groups.map((group) =>
    Object.assign(group, {
      is_comparable:
        comparable.includes(group) && comparable.some((other) => other !== group && isSameKind(group, other)),
    }),
  )
}

/** Parts of unknown kind may do different jobs, so they aren't compared. */
const isSameKind = (one: KindAndPosition, other: KindAndPosition) =>
  one.kind !== null && one.kind === other.kind && one.position === other.position

function groupOf(key: string, lifetimes: Lifetime[]): Omit<Group, 'is_comparable'> {
  const { type, name, kind, position } = lifetimes.reduce((last, other) =>
    other.started >= last.started ? other : last,
  )
  const used = lifetimes.filter(hasUsage)
  const finished = used.filter((lifetime) => lifetime.finished)
  const hasMedian = finished.length >= MIN_FOR_MEDIAN
  return {
    key,
    type,
    name,
    kind,
    position,
    lifetimes,
    finished: finished.length,
    median: hasMedian ? medianOf(used) : null,
    range: finished.length === 0 ? null : byRideAxis((axis) => extent(finished, axis)),
    has_range: hasMedian,
    ended_without_reason: finished.filter(({ ended_as }) => ended_as === null).length,
    ...byRate((key) => ratesOf(finished.filter((part) => part[key] !== null))[key]),
  }
}

function medianOf(used: readonly Lifetime[]): Group['median'] {
  const medians = byRideAxis((axis) => typical(used, axis))
  const kinds = RIDE_AXES.map((axis) => [AXES[axis].ride.medianKind, medians[axis].kind])
  return { ...byRideAxis((axis) => medians[axis].value), ...Object.fromEntries(kinds) }
}

/** Treats an incomplete amount as a lower bound, as for an unfinished part. */
function typical(lifetimes: readonly Lifetime[], axis: RideAxis) {
  const observations = lifetimes.map((lifetime) => ({
    value: lifetime[axis],
    ended: lifetime.finished && isComplete(lifetime, axis),
  }))
  const longest = Math.max(...observations.map(({ value }) => value))
  return typicalOf(observations) ?? { value: longest, kind: 'over' as const }
}

function extent(lifetimes: readonly Lifetime[], axis: RideAxis): [number, number] {
  const complete = lifetimes.filter((lifetime) => isComplete(lifetime, axis))
  const values = (complete.length > 0 ? complete : lifetimes).map((lifetime) => lifetime[axis])
  return [Math.min(...values), Math.max(...values)]
}

/** Returns the ratio of the sums, not the mean of ratios. Null without a cost, because then the price is unknown. */
export function ratesOf(parts: readonly Pick<Lifetime, 'cost' | 'distance' | 'moving_time'>[]): Rates {
  const cost = sumOf(parts, 'cost')
  const per = (amount: number) => (cost === 0 || amount === 0 ? null : cost / amount)
  return byRate((_key, axis) => per(sumOf(parts, axis) / AXES[axis].ride.rate.per))
}

const byRate = (valueOf: (key: keyof Rates, axis: RideAxis) => number | null) =>
  Object.fromEntries(
    RIDE_AXES.map((axis) => [AXES[axis].ride.rate.key, valueOf(AXES[axis].ride.rate.key, axis)]),
  ) as Rates

/** Finds pairs of groups of one kind where every finished lifetime of one group is longer than all lifetimes of the other. */
export function compareGroups(groups: readonly Group[]): Comparison[] {
  const comparable = groups.filter(({ is_comparable }) => is_comparable)
  return comparable.flatMap((longer) =>
    comparable
      .filter(
        (shorter) =>
          isSameKind(shorter, longer) &&
          // Include unfinished parts, which may already have lasted longer.
          Math.max(...shorter.lifetimes.map(({ distance }) => distance)) < longer.range!.distance[0],
      )
      .map((shorter) => ({
        type: longer.type,
        longer: longer.name,
        longer_key: longer.key,
        shorter: shorter.name,
        shorter_key: shorter.key,
      })),
  )
}

/** Collects groups by kind and position, or by type if the kind is unknown, the longest-lasting first, and picks each family's longest-lasting and cheapest group. */
export function familiesOf(groups: readonly Group[]): Family[] {
  const byLifetimes = groups.toSorted((a, b) => b.lifetimes.length - a.lifetimes.length)
  return [
    ...Map.groupBy(byLifetimes, ({ type, kind, position }) =>
      kind === null ? `of ${type}` : `${kind} ${position}`,
    ).values(),
  ]
    .toSorted((a, b) => sumOf(b, 'finished') - sumOf(a, 'finished'))
    .map((family) => {
      const { type, kind, position } = family[0]!
      return {
        type,
        kind,
        position,
        groups: family
          .toSorted((a, b) => lengthOf(b, 'distance') - lengthOf(a, 'distance'))
          .map(({ key }) => key),
        longest: byRideAxis((axis) => longestOf(family, axis)?.key ?? null),
        cheapest: byRideAxis((axis) => cheapestOf(family, axis)?.key ?? null),
      }
    })
}

/** Returns a group's typical lifetime. Without a median, that is the mean of the range, which covers one or two finished parts. */
function lengthOf({ median, range, lifetimes }: Group, axis: RideAxis): number {
  if (median || !range) return median?.[axis] ?? Math.max(0, ...lifetimes.map((lifetime) => lifetime[axis]))
  const [low, high] = range[axis]
  return (low + high) / 2
}

const longestOf = (groups: readonly Group[], axis: RideAxis): Group | undefined =>
  groups.filter(({ finished }) => finished > 0).toSorted((a, b) => lengthOf(b, axis) - lengthOf(a, axis))[0]

function cheapestOf(groups: readonly Group[], axis: RideAxis): Group | undefined {
  const rate = AXES[axis].ride.rate.key
  const priced = groups.filter(
    ({ lifetimes }) =>
      lifetimes.filter((part) => part.finished && part[rate] !== null).length >= MIN_FOR_MEDIAN,
  )
  return priced.length < 2 ? undefined : priced.toSorted((a, b) => a[rate]! - b[rate]!)[0]
}
