// The result of the SQL function `part_lifetimes`, and the lifetimes computed from it.
import * as v from 'valibot'
import { KIND_NAMES, POSITIONS } from '../kinds.ts'
import { Count, earlier, Id, Meters, Money, rates, rideSums, Seconds, WallClock } from './fields.ts'

const Position = v.nullable(v.picklist(POSITIONS))

const named = {
  type: v.nullable(v.string()),
  name: v.string(),
  /** Null: unknown, or its kind has no ends. */
  position: Position,
}

/** The kind of a part. Null: unknown. */
export const Kind = v.nullable(v.picklist(KIND_NAMES))

/** Creates sums by the ends where a part was, without usage from before the log. Null: its kind has none. */
export function byPosition<Sums extends v.ObjectEntries>(sums: Sums) {
  const atEnd = v.exactOptional(v.strictObject(sums))
  return v.nullable(v.strictObject({ front: atEnd, rear: atEnd, both: atEnd }))
}

/** A log item, with hypothetical values if the caller passed any. */
const usedItem = {
  id: Id,
  part_id: Id,
  gear_id: Id,
  ...named,
  cost: Money,
  since: WallClock,
  /** Null: in use. */
  until: v.nullable(WallClock),
  /** Null: in use, or ended without a reason. */
  ended_as: v.nullable(v.string()),
  /** False for work and planned parts. */
  was_installed: v.boolean(),
}

/** A part's usage, days and cost over all its items. */
const partTotals = {
  part_id: Id,
  ...rideSums,
  ...earlier,
  /** The sum of its install periods. */
  days: Count,
  /** The cost of its items. 0: unknown. */
  price: Money,
  /** The price and the paid services. */
  cost: Money,
  kind: Kind,
  by_position: byPosition({ ...rideSums, days: Count }),
}

/** One array per column. */
const columnsOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, v.array(value)])) as {
      [Name in keyof Entries]: v.ArraySchema<Entries[Name], undefined>
    },
  )

export const UsedColumns = v.strictObject({ items: columnsOf(usedItem), parts: columnsOf(partTotals) })

/** A part over all its items. */
export const Lifetime = v.strictObject({
  ...partTotals,
  /** The last item, which determines the part's bike, type, name, position and end. */
  item_id: Id,
  gear_id: Id,
  ...named,
  /** Null: in use, or ended without a reason. */
  ended_as: v.nullable(v.string()),
  running: v.boolean(),
  /** True if the part wore out. Otherwise its lifetime is a lower bound. */
  finished: v.boolean(),
  started: WallClock,
  /** Null: in use. */
  ended: v.nullable(WallClock),
  item_ids: v.array(Id),
  gear_ids: v.array(Id),
  ...rates,
})

const MedianKind = v.picklist(['median', 'kaplan_meier', 'over'])
const range = (unit: v.GenericSchema<number>) => v.tuple([unit, unit])

/** The parts of one type, name and position. `range` covers finished parts with usage, and the rates only finished parts with a price. */
export const Group = v.strictObject({
  /** Identifies the group regardless of how its name is spelled. */
  key: v.string(),
  /** The name and kind are those of the most recently installed part. */
  ...named,
  kind: Kind,
  lifetimes: v.array(Lifetime),
  /** The number of finished lifetimes with usage. */
  finished: Count,
  /** Null with fewer than three finished lifetimes. */
  median: v.nullable(
    v.strictObject({
      distance: Meters,
      moving_time: Seconds,
      kind: MedianKind,
      moving_time_kind: MedianKind,
    }),
  ),
  /** The shortest and longest finished lifetime. Null if there are none. */
  range: v.nullable(v.strictObject({ distance: range(Meters), moving_time: range(Seconds) })),
  /** Whether enough lifetimes are finished for a meaningful range. */
  has_range: v.boolean(),
  /** Whether this group and another one of its kind have enough finished lifetimes to compare. */
  is_comparable: v.boolean(),
  /** The number of lifetimes that ended without a reason. They count as worn. */
  ended_without_reason: Count,
  ...rates,
})

const Winner = v.strictObject({ distance: v.nullable(v.string()), moving_time: v.nullable(v.string()) })

/** Groups of one kind and position, or of one type if the kind is unknown. Their parts do the same job, so they can be compared. */
export const Family = v.strictObject({
  type: v.nullable(v.string()),
  /** Null for parts of the type whose kind is unknown. */
  kind: Kind,
  position: Position,
  /** Group keys, most lifetimes first. */
  groups: v.array(v.string()),
  /** The keys of the longest-lasting groups by distance and by time. Null if no part is finished. */
  longest: Winner,
  /** The keys of the cheapest groups per distance and per time. Null unless two groups have three finished parts with a price. */
  cheapest: Winner,
})

export const Comparison = v.strictObject({
  type: v.nullable(v.string()),
  longer: v.string(),
  shorter: v.string(),
  longer_key: v.string(),
  shorter_key: v.string(),
})

type Rows<Columns> = { [Column in keyof Columns]: Columns[Column] extends (infer Value)[] ? Value : never }[]

export type UsedColumns = v.InferOutput<typeof UsedColumns>
export type UsedItems = { [Table in keyof UsedColumns]: Rows<UsedColumns[Table]> }
export type UsedItem = UsedItems['items'][number]
export type PartTotals = UsedItems['parts'][number]
export type Lifetime = v.InferOutput<typeof Lifetime>
export type MedianKind = v.InferOutput<typeof MedianKind>
export type Group = v.InferOutput<typeof Group>
export type Family = v.InferOutput<typeof Family>
export type Comparison = v.InferOutput<typeof Comparison>
