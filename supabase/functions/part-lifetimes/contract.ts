import * as v from 'valibot'
import {
  type Call,
  Count,
  earlier,
  Id,
  LogDay,
  Meters,
  Money,
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
    cost: v.pipe(Money, v.finite()),
  }),
  v.check(({ dateStarted, dateEnded }) => dateEnded === null || dateStarted <= dateEnded),
)
const WhatIfInput = objectInput({ what_if: WhatIf })
export const Input = v.union([LifetimesInput, WhatIfInput])

const LifetimesAnswer = v.strictObject({
  groups: v.array(Group),
  /** Most finished parts first. */
  families: v.array(Family),
  /** Omits pairs of groups whose lifetimes overlap or are too few. */
  comparisons: v.array(Comparison),
})

/** A part's usage and cost over all its items. */
const WhatIfTotals = v.strictObject({
  distance: Meters,
  moving_time: Seconds,
  ...earlier,
  days: Count,
  cost: Money,
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
  cost: Money,
  /** The part's totals. Null for work. */
  before: v.nullable(WhatIfTotals),
  after: v.nullable(WhatIfTotals),
})
/** The changed item, then its neighbors. */
const WhatIfAnswer = v.strictObject({ what_if: v.array(WhatIfItem) })
export const Answer = v.union([LifetimesAnswer, WhatIfAnswer])

export type Filter = v.InferOutput<typeof LifetimesInput>
export type WhatIf = v.InferOutput<typeof WhatIf>
export type WhatIfTotals = v.InferOutput<typeof WhatIfTotals>
export type WhatIfItem = v.InferOutput<typeof WhatIfItem>

export type LifetimesCall = Call<'part-lifetimes', typeof LifetimesInput, typeof LifetimesAnswer>
export type WhatIfCall = Call<'part-lifetimes', typeof WhatIfInput, typeof WhatIfAnswer>
