import * as v from 'valibot'
import { RideDays } from '../_shared/contracts/service-tasks.ts'
import { HISTORY_DAYS } from '../_shared/service/forecast.ts'
import type { Query } from '../_shared/http/query.ts'
import { likelyDay } from '../_shared/service/task-forecasts.ts'
import { PartWear, type Wear } from './contract.ts'

/** Reads a part's measurements, and when it likely reaches its limit. Null for an unknown part. */
export async function readWear(part_id: number, query: Query): Promise<Wear | null> {
  const part = await query('part_wear', v.nullable(PartWear), { part_id })
  if (part === null) return null
  const { gear_id, is_installed, measurements, series, ...wear } = part
  const isOpen = is_installed && series.some(({ estimate }) => estimate && estimate.from > wear.distance)
  const rides = isOpen ? await query('ride_days', RideDays, { gear_id, days: HISTORY_DAYS }) : null
  return {
    ...wear,
    series: series.map((one) => {
      const { estimate } = one
      const likely = rides && estimate && likelyDay(rides, gear_id, estimate.from - wear.distance)
      const own = measurements.filter(({ id }) => one.measurements.includes(id))
      return Object.assign(one, { likely, measurements: own })
    }),
  }
}
