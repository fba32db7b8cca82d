// How long parts lasted: what the SQL function `part_lifetimes` returns, and what functions make of it.
import * as v from 'valibot'
import { Count, Dollars, earlier, Id, Meters, rates, rideSums, Seconds, WallClock } from './fields.ts'

/** Items and how far they were ridden, one list per column. */
const ItemColumns = v.strictObject({
  id: v.array(Id),
  part_id: v.array(Id),
  gear_id: v.array(Id),
  type: v.array(v.nullable(v.string())),
  name: v.array(v.string()),
  /** What kind of part it is, by its name and type: `chain`, `front tire`, `tires` (both)… Null: unknown. */
  kind: v.array(v.nullable(v.string())),
  cost: v.array(Dollars),
  since: v.array(WallClock),
  /** Null while it is in use. */
  until: v.array(v.nullable(WallClock)),
  /** Null: in use, or ended without a reason. */
  ended_as: v.array(v.nullable(v.string())),
  /** Whether a part was installed by now. Work and planned parts were not. */
  was_installed: v.array(v.boolean()),
  rides: v.array(Count),
  distance: v.array(Meters),
  moving_time: v.array(Seconds),
  days: v.array(Count),
})

/** Every item, the costs of the paid services of parts, and what parts were ridden before the log. */
export const UsedColumns = v.strictObject({
  items: ItemColumns,
  services: v.array(v.strictObject({ part_id: Id, cost: Dollars })),
  earlier: v.array(
    v.strictObject({ part_id: Id, distance: v.nullable(Meters), moving_time: v.nullable(Seconds) }),
  ),
})

/** A part over all its items. */
export const Lifetime = v.strictObject({
  part_id: Id,
  /** The last item, whose bike, type, name, kind and end count for the part. */
  item_id: Id,
  gear_id: Id,
  type: v.nullable(v.string()),
  name: v.string(),
  kind: v.nullable(v.string()),
  ...rideSums,
  ...earlier,
  /** The sum of its install periods. */
  days: Count,
  /** With the paid services of the part. */
  cost: Dollars,
  /** Null: in use, or ended without a reason. */
  ended_as: v.nullable(v.string()),
  running: v.boolean(),
  /** Whether it was used up. Any other part has lasted at least this long. */
  finished: v.boolean(),
  /** Its first install. */
  started: WallClock,
  /** Null while it is in use. */
  ended: v.nullable(WallClock),
  item_ids: v.array(Id),
  gear_ids: v.array(Id),
  ...rates,
})

const MedianKind = v.picklist(['median', 'kaplan_meier', 'over'])
const range = (unit: v.GenericSchema<number>) => v.tuple([unit, unit])

/** The parts of one type and name. The range is that of its finished parts that were ridden, and the rates are of those with a price. */
export const Group = v.strictObject({
  /** Identifies the group, however the name is spelled. */
  key: v.string(),
  type: v.nullable(v.string()),
  /** As the part that was installed last spells it. */
  name: v.string(),
  /** That of the part that was installed last. */
  kind: v.nullable(v.string()),
  lifetimes: v.array(Lifetime),
  /** How many of the lifetimes are finished and were ridden. */
  finished: Count,
  /** Null if fewer than three are finished. */
  median: v.nullable(
    v.strictObject({
      distance: Meters,
      moving_time: Seconds,
      kind: MedianKind,
      moving_time_kind: MedianKind,
    }),
  ),
  /** The shortest and the longest. Null if none is finished. */
  range: v.nullable(v.strictObject({ distance: range(Meters), moving_time: range(Seconds) })),
  /** Whether enough are finished for the range to mean something. */
  has_range: v.boolean(),
  /** Whether enough are finished, of this group and of another one of its type, to say which lasts longer. */
  is_comparable: v.boolean(),
  /** How many ended without a reason. They count as worn. */
  ended_without_reason: Count,
  ...rates,
})

const Winner = v.strictObject({ distance: v.nullable(v.string()), moving_time: v.nullable(v.string()) })

/** Groups whose parts do the same job, so they can be compared: those of a kind, or of a type if the kind is unknown. */
export const Family = v.strictObject({
  type: v.nullable(v.string()),
  /** Null: the other parts of the type. */
  kind: v.nullable(v.string()),
  /** The keys of its groups, those with the most lifetimes first. */
  groups: v.array(v.string()),
  /** The key of the group that lasts longest. Null if no part is finished. */
  longest: Winner,
  /** The key of the group that costs the least per distance or hour. Null if fewer than two have three finished parts with a price. */
  cheapest: Winner,
})

/** One group lasted longer than another of the same type. */
export const Comparison = v.strictObject({
  type: v.nullable(v.string()),
  /** The names of the groups, and their keys. */
  longer: v.string(),
  shorter: v.string(),
  longer_key: v.string(),
  shorter_key: v.string(),
})

export type UsedColumns = v.InferOutput<typeof UsedColumns>
/** An item and how far it was ridden. */
export type UsedItem = {
  [Column in keyof UsedColumns['items']]: UsedColumns['items'][Column][number]
}
export type UsedItems = Omit<UsedColumns, 'items'> & { items: UsedItem[] }
export type Lifetime = v.InferOutput<typeof Lifetime>
export type MedianKind = v.InferOutput<typeof MedianKind>
export type Group = v.InferOutput<typeof Group>
export type Family = v.InferOutput<typeof Family>
export type Comparison = v.InferOutput<typeof Comparison>
