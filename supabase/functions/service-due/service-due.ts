import * as v from 'valibot'
import type { Json } from '../../database.types.ts'
import type { WriteInput } from '../_shared/contracts/run-command.ts'
import { type ForecastTask, RideDays, ServiceTasks, Task } from '../_shared/contracts/service-tasks.ts'
import type { Respond } from '../_shared/http/endpoint.ts'
import type { Query } from '../_shared/http/query.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { HISTORY_DAYS } from '../_shared/service/forecast.ts'
import { explain, withForecasts, withLikelyDays } from '../_shared/service/task-forecasts.ts'
import type * as contract from './contract.ts'

export const respond: Respond<typeof contract> = async (input, query) => {
  if ('preview' in input) return { preview: await preview(input.preview, query) }
  const { gear_id } = input
  const [due, rides] = await Promise.all([
    query('service_due', v.nullable(ServiceTasks), { gear_id }),
    query('ride_days', RideDays, { gear_id, days: HISTORY_DAYS }),
  ])
  if (due === null) throw new CodedError('unknown_bike')
  // For other users, row-level security returns an empty list rather than null.
  if (due.tasks.length + due.limits.length === 0 && !(await query('is_owner', v.boolean()))) return null
  const answer = { tasks: withForecasts(due.tasks, rides), limits: withLikelyDays(due.limits, rides) }
  if (!('explain' in input)) return answer
  const task = due.tasks.find(({ id }) => id === input.explain)
  return { ...answer, explanation: task ? explain(task, rides) : null }
}

const Preview = v.strictObject({ answer: v.strictObject({ task: Task }) })

async function preview(args: WriteInput<'add_task'>, query: Query): Promise<ForecastTask> {
  const call = { command: 'preview_task', arguments: args as Json }
  const { task } = (await query('run_command', Preview, call)).answer
  const rides = await query('ride_days', RideDays, { gear_id: task.gear_id, days: HISTORY_DAYS })
  const [forecast] = withForecasts([task], rides) as [ForecastTask]
  return forecast
}
