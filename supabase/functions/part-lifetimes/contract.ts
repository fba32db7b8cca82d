import * as v from 'valibot'
import {
  type Call,
  Count,
  Day,
  Dollars,
  earlier,
  Id,
  LogDay,
  Meters,
  objectInput,
  rates,
  Seconds,
  WallClock,
} from '../_shared/contracts/fields.ts'
import { Comparison, Family, Group } from '../_shared/contracts/lifetimes.ts'

export type { Comparison, Family, Group, Lifetime } from '../_shared/contracts/lifetimes.ts'

const LifetimesInput = v.optional(
  objectInput({
    /** Only parts that were on this bike. */
    gear_id: v.optional(Id),
    /** Only parts in use between these days, with their complete lifetimes. */
    from: v.optional(LogDay),
    to: v.optional(LogDay),
  }),
  {},
)

/** What an item would be. */
const WhatIf = v.pipe(
  v.strictObject({
    id: Id,
    dateStarted: LogDay,
    /** Null: in use. */
    dateEnded: v.nullable(LogDay),
    cost: v.pipe(Dollars, v.finite()),
  }),
  v.check(({ dateStarted, dateEnded }) => dateEnded === null || dateStarted <= dateEnded),
)
const WhatIfInput = objectInput({ what_if: WhatIf })

/** The id of a part. */
const WearInput = objectInput({ wear: Id })
export const Input = v.union([LifetimesInput, WhatIfInput, WearInput])

const LifetimesAnswer = v.strictObject({
  groups: v.array(Group),
  /** Those with the most finished parts first. */
  families: v.array(Family),
  /** Pairs that are not listed overlap or have too few lifetimes. */
  comparisons: v.array(Comparison),
})

/** How far a part was ridden and what it costs, over all its items. */
const WhatIfTotals = v.strictObject({
  distance: Meters,
  moving_time: Seconds,
  ...earlier,
  days: Count,
  cost: Dollars,
  running: v.boolean(),
  ...rates,
})

const WhatIfItem = v.strictObject({
  item_id: Id,
  name: v.string(),
  /** False: a neighbor whose own dates leave no room to follow. */
  follows: v.boolean(),
  dateStarted: WallClock,
  /** Null: in use. */
  dateEnded: v.nullable(WallClock),
  cost: Dollars,
  /** Of its part. Null for work. */
  before: v.nullable(WhatIfTotals),
  after: v.nullable(WhatIfTotals),
})
/** The item, then its neighbors, which follow it. */
const WhatIfAnswer = v.strictObject({ what_if: v.array(WhatIfItem) })

const Measurement = v.strictObject({
  id: Id,
  measured_on: Day,
  /** The exact value; with a reading, the mark of the gauge. Null: the mark is the limit. */
  value: v.nullable(v.number()),
  /** What a gauge says that shows no values. Null: the value is exact. */
  reading: v.nullable(v.picklist(['under', 'at', 'over'])),
  /** `chain %`, `pad mm`, or the owner's own. */
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none. */
  limit: v.nullable(v.number()),
  note: v.nullable(v.string()),
  /** How far the part was ridden until the end of that day. */
  distance: Meters,
})

/** What the SQL function `part_wear` returns. */
export const PartWear = v.strictObject({
  /** The bike that the part is on or was last. */
  gear_id: Id,
  is_installed: v.boolean(),
  /** How far it was ridden until now, with the earlier distance. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** The oldest first. */
  measurements: v.array(Measurement),
})

/** The measurements in one unit with one tool. Tools disagree, so they are never mixed. */
const WearSeries = v.strictObject({
  unit: v.string(),
  tool: v.string(),
  /** Null: neither the owner nor the unit has one. */
  limit: v.nullable(v.number()),
  /** The limit wasn't reached yet at this distance of the part. Null: unknown. */
  not_before: v.nullable(Meters),
  /** Between which distances the limit is reached: two readings of a gauge, or where a line through exact values meets it nine times in ten. Null: unknown. */
  estimate: v.nullable(v.strictObject({ kind: v.picklist(['line', 'bracket']), from: Meters, to: Meters })),
  /** When the part has likely been ridden to the start of the estimate. Null: unknown, over a year away, or already there. */
  likely: v.nullable(Day),
  measurements: v.array(Measurement),
})
const WearAnswer = v.strictObject({
  wear: v.strictObject({
    /** How far the part was ridden until now, with the earlier distance. */
    distance: Meters,
    earlier_distance: earlier.earlier_distance,
    /** How far apart exact values must be for an estimate. */
    least_distance: Meters,
    series: v.array(WearSeries),
  }),
})
export const Answer = v.union([LifetimesAnswer, WhatIfAnswer, WearAnswer])

export type Filter = v.InferOutput<typeof LifetimesInput>
export type WhatIf = v.InferOutput<typeof WhatIf>
export type WhatIfTotals = v.InferOutput<typeof WhatIfTotals>
export type WhatIfItem = v.InferOutput<typeof WhatIfItem>
export type Measurement = v.InferOutput<typeof Measurement>
export type PartWear = v.InferOutput<typeof PartWear>
export type WearSeries = v.InferOutput<typeof WearSeries>
export type Wear = WearCall['answer']['wear']

export type LifetimesCall = Call<'part-lifetimes', typeof LifetimesInput, typeof LifetimesAnswer>
export type WhatIfCall = Call<'part-lifetimes', typeof WhatIfInput, typeof WhatIfAnswer>
export type WearCall = Call<'part-lifetimes', typeof WearInput, typeof WearAnswer>
