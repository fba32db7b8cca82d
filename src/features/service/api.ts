import type { ServiceEvent } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import type {
  Axis,
  ExplainCall,
  Explanation,
  ForecastTask as Task,
  TasksCall,
} from '../../../supabase/functions/service-due/contract.ts'
import type { TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { addMessages } from '../../lib/errors.ts'
import { type Answer, callFunction, callSql } from '../../lib/functions.ts'
import { write } from '../../lib/writes.ts'

addMessages({
  service_tasks_years_check: 'Enter a date between the years 1900 and 2100.',
  service_tasks_name_check: 'Enter a name of up to 200 characters.',
  service_tasks_limit_check: 'Enter at least one limit.',
  service_tasks_distance_check: 'Enter a shorter distance, above 0.',
  service_tasks_moving_time_check: 'Enter hours above 0, up to 10,000.',
  service_tasks_days_check: 'Enter days above 0, up to 3,650.',
  service_tasks_snoozed_distance_check: 'Enter a shorter distance.',
})

export type { Axis, Explanation, ServiceEvent, Task }

/** A task's limits, in display order. */
export const AXES = ['distance', 'moving_time', 'days'] as const satisfies readonly Axis[]

export async function readTasks(client: Client, signal: AbortSignal): Promise<Task[]> {
  return (await callFunction<TasksCall>(client, 'service-due', { body: {}, signal })).tasks
}

/** Resolves to null if the task's forecast isn't based on earlier rides. */
export async function readExplanation(
  client: Client,
  { id, gear_id }: Pick<Task, 'id' | 'gear_id'>,
  signal: AbortSignal,
): Promise<Explanation | null> {
  const body = { gear_id, explain: id }
  return (await callFunction<ExplainCall>(client, 'service-due', { body, signal })).explanation
}

export type Owner = { part_id: number } | { gear_id: number }

/** Reads the service events of a part or bike, latest first. */
export async function readHistory(
  client: Client,
  owner: Owner,
  signal: AbortSignal,
): Promise<ServiceEvent[]> {
  return (await callSql(client, 'service_history', owner, signal)).events
}

export type TaskValues = Required<
  Pick<
    TablesUpdate<'service_tasks'>,
    'name' | 'kind' | 'every_distance' | 'every_moving_time' | 'every_days' | 'outdoor_only'
  >
>

/** The event. The change is null if it has been done elsewhere. */
export type Done = Answer<'mark_service_done'>

/** Marks a task done now, unless it has been done since it was read. */
export function markDone(client: Client, task: Pick<Task, 'id' | 'newest_event'>): Promise<Done> {
  const seen = task.newest_event === null ? {} : { seen: task.newest_event }
  return write(client, 'mark_service_done', { task_id: task.id, ...seen })
}

/** The end of a snooze: a day, or a distance in meters from now. Null ends the snooze. */
export type Snooze = { until: string } | { distance: number } | null

/** Snoozes a task or ends its snooze. Resolves to the change. */
export async function snoozeTask(
  client: Client,
  { id }: Pick<Task, 'id'>,
  snooze: Snooze,
): Promise<string | null> {
  return (await write(client, 'snooze_service_task', { task_id: id, ...snooze })).change
}
