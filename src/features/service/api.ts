import type { Axis } from '../../../supabase/functions/_shared/axes.ts'
import type { ServiceEvent } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import type {
  ExplainCall,
  Explanation,
  ForecastLimit as Limit,
  ForecastTask,
  PreviewCall,
  TasksCall,
} from '../../../supabase/functions/service-due/contract.ts'
import type { WriteInput } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import type { TaskLine } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import type { TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { callFunction, callSql } from '../../lib/functions.ts'
import type { Uncounted } from '../../lib/waiting.ts'

export type { Explanation, Limit, ServiceEvent }

export type Task = Uncounted<ForecastTask>

/** A task as the screens show it: of a group, the most urgent one with the others that are shown. */
export type Line = TaskLine<Task>

export type Due = { tasks: Task[]; limits: Limit[] }

/** Reads all bikes' tasks, and the wear limits of measured parts. */
export function readDue(client: Client, signal: AbortSignal): Promise<Due> {
  return callFunction<TasksCall>(client, 'service-due', { body: {}, signal })
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

export type NewTask = WriteInput<'add_task'>

/** Reads what would follow from adding a task. Nothing is saved. */
export async function readPreview(client: Client, task: NewTask, signal: AbortSignal): Promise<Task> {
  return (await callFunction<PreviewCall>(client, 'service-due', { body: { preview: task }, signal })).preview
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

type Columns = TablesUpdate<'service_tasks'>

export type TaskValues = Required<Pick<Columns, 'name' | 'kind' | `every_${Axis}` | 'outdoor_only'>> &
  Pick<Columns, 'once' | 'with_task' | 'group'> & { due_on?: Day | null }

/** A day, or a distance in meters from now. */
export type SnoozeEnd = { until: Day } | { distance: number }
