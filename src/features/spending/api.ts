import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { callFunction } from '../../lib/functions.ts'

const sums = {
  /** Dollars. */
  cost: v.number(),
  cost_per_km: v.nullable(v.number()),
  cost_per_hour: v.nullable(v.number()),
}
const ridden = { distance: v.number(), moving_time: v.number() }

const Answer = v.object({
  months: v.array(
    v.object({ month: v.string(), gear_id: v.number(), type: v.nullable(v.string()), cost: v.number() }),
  ),
  next_twelve_months: v.nullable(v.object({ low: v.number(), high: v.number() })),
  next_twelve_months_parts: v.object({ known: v.number(), unknown: v.number() }),
  today: v.string(),
  this_year: v.number(),
  last_year_to_date: v.number(),
  period: v.object({
    bikes: v.array(v.object({ gear_id: v.number(), ...sums, ...ridden })),
    types: v.array(v.object({ type: v.nullable(v.string()), ...sums })),
    total: v.object({ ...sums, ...ridden }),
  }),
})

export type Spending = v.InferOutput<typeof Answer>

/** The days whose costs per mile are added up. Without one: from the start, or to the end. */
export type Period = { from?: Day; to?: Day }

/** What the owner spent, and what riding costs. */
export async function readSpending(client: Client, period: Period, signal: AbortSignal): Promise<Spending> {
  return v.parse(Answer, await callFunction(client, 'spending', { body: period, signal }))
}
