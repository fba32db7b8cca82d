import * as v from 'valibot'
import { RideDays, ServiceTasks } from '../_shared/contracts/service-tasks.ts'
import type { Respond } from '../_shared/endpoint.ts'
import { CodedError } from '../_shared/errors.ts'
import { HISTORY_DAYS } from '../_shared/forecast.ts'
import { explain, forecastInOrder } from '../_shared/task-forecasts.ts'
import type * as contract from './contract.ts'

export const respond: Respond<typeof contract> = async (input, query) => {
  const { gear_id } = input
  const [due, rides] = await Promise.all([
    query('service_due', v.nullable(ServiceTasks), { gear_id }),
    query('ride_days', RideDays, { gear_id, days: HISTORY_DAYS }),
  ])
  if (due === null) throw new CodedError('unknown_bike')
  // For other users, row-level security returns an empty list rather than null.
  if (due.tasks.length === 0 && !(await query('is_owner', v.boolean()))) return null
  const tasks = forecastInOrder(due.tasks, rides)
  if (!('explain' in input)) return { tasks }
  const task = due.tasks.find(({ id }) => id === input.explain)
  return { tasks, explanation: task ? explain(task, rides) : null }
}
