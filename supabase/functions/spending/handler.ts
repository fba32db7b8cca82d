import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, Day, type Handler, optionalInput, readInput } from '../_shared/http.ts'
import { groupLifetimes, lifetimesOf, ratesOf, type ReadItems } from '../_shared/lifetimes.ts'
import type { Log } from '../_shared/log.ts'
import { forecastOf, type ReadSpending } from './spending.ts'

export interface Dependencies {
  auth: Auth
  readSpending: ReadSpending
  readItems: ReadItems
  log: Log
}

const Input = optionalInput({ from: v.optional(Day), to: v.optional(Day) })

/**
 * POST, only for the owner: costs by month, bike and type, and a forecast. `from` and `to` limit the sums by bike and type,
 * and the cost per kilometer and hour, to the days of a period.
 */
export function createHandler({ auth, readSpending, readItems, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const { from, to } = (await readInput(request, Input)) ?? {}
      const [spending, used] = await Promise.all([readSpending(token, from, to), readItems(token)])
      if (spending === null || used === null) throw new CodedError('forbidden')
      const { today, months, this_year, last_year_to_date, bikes, types, total } = spending
      const { cost, parts } = forecastOf(groupLifetimes(lifetimesOf(used)), bikes)
      const { distance, moving_time } = total
      return {
        months,
        next_twelve_months: cost,
        next_twelve_months_parts: parts,
        today,
        this_year,
        last_year_to_date,
        period: {
          bikes: bikes.map((bike) => {
            const { gear_id, cost, distance, moving_time } = bike
            return Object.assign({ gear_id, cost, distance, moving_time }, ratesOf([bike]))
          }),
          // A type is ridden on all bikes.
          types: types.map((type) =>
            Object.assign(type, ratesOf([{ cost: type.cost, distance, moving_time }])),
          ),
          total: { ...total, ...ratesOf([total]) },
        },
      }
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
