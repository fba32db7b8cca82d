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

/** `wear` is a part's id. */
const WearInput = objectInput({ wear: Id })
export const Input = v.union([LifetimesInput, WhatIfInput, WearInput])

const LifetimesAnswer = v.strictObject({
  groups: v.array(Group),
  /** Most finished parts first. */
  families: v.array(Family),
  /** Omits pairs that overlap or have too few lifetimes. */
  comparisons: v.array(Comparison),
})

/** The usage and cost of a part over all its items. */
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
  /** False for a neighbor that would end before it starts, so it stays unchanged. */
  follows: v.boolean(),
  dateStarted: WallClock,
  /** Null: in use. */
  dateEnded: v.nullable(WallClock),
  cost: Dollars,
  /** The part's totals. Null for work. */
  before: v.nullable(WhatIfTotals),
  after: v.nullable(WhatIfTotals),
})
/** The changed item, then its neighbors. */
const WhatIfAnswer = v.strictObject({ what_if: v.array(WhatIfItem) })

const Measurement = v.strictObject({
  id: Id,
  measured_on: Day,
  /** The exact value; with a reading, the gauge's mark. Null: the mark is the limit. */
  value: v.nullable(v.number()),
  /** The result of a go/no-go gauge, relative to its mark. Null: the value is exact. */
  reading: v.nullable(v.picklist(['under', 'at', 'over'])),
  /** `chain %`, `pad mm`, or the owner's own. */
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none. */
  limit: v.nullable(v.number()),
  note: v.nullable(v.string()),
  /** The part's distance until the end of that day. */
  distance: Meters,
})

/** The result of the SQL function `part_wear`. */
export const PartWear = v.strictObject({
  /** The bike that the part is on, or was on last. */
  gear_id: Id,
  is_installed: v.boolean(),
  /** Until now, with the earlier distance. */
  distance: Meters,
  earlier_distance: earlier.earlier_distance,
  /** Oldest first. */
  measurements: v.array(Measurement),
})

/** The measurements in one unit with one tool, because tools disagree. */
const WearSeries = v.strictObject({
  unit: v.string(),
  tool: v.string(),
  /** Null: the owner entered none, and the unit has no usual one. */
  limit: v.nullable(v.number()),
  /** The part's distance at its last reading before the limit. Null: unknown. */
  not_before: v.nullable(Meters),
  /** The part's distance when it reaches the limit: between two gauge readings, or the 90 % range of a line through exact values. Null: unknown. */
  estimate: v.nullable(v.strictObject({ kind: v.picklist(['line', 'bracket']), from: Meters, to: Meters })),
  /** When the part likely reaches the start of the estimate. Null: unknown, over a year away, or already reached. */
  likely: v.nullable(Day),
  measurements: v.array(Measurement),
})
const WearAnswer = v.strictObject({
  wear: v.strictObject({
    /** The part's distance until now, with the earlier distance. */
    distance: Meters,
    earlier_distance: earlier.earlier_distance,
    /** The minimum distance between exact values for an estimate. */
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
