import * as v from 'valibot'

import type {
  Axis,
  ExplainCall,
  Explanation,
  ForecastTask as Task,
  TasksCall,
} from '../../../supabase/functions/service-due/contract.ts'
import type { Json, TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { newUuid, type Request, settleWrite } from '../../lib/writes.ts'

export type { Axis, Explanation, Task }

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

const Event = v.object({
  id: v.number(),
  task_id: v.number(),
  name: v.string(),
  done_at: v.string(),
  note: v.nullable(v.string()),
  cost: v.nullable(v.number()),
  /** The part's or bike's distance when the task was done, in meters, including `earlier_distance`. */
  distance: v.number(),
  earlier_distance: v.nullable(v.number()),
})

export type ServiceEvent = v.InferOutput<typeof Event>

export type Owner = { part_id: number } | { gear_id: number }

/** Reads the service events of a part or bike, latest first. */
export async function readHistory(
  client: Client,
  owner: Owner,
  signal: AbortSignal,
): Promise<ServiceEvent[]> {
  const history = unwrap(await client.rpc('service_history', owner).abortSignal(signal))
  return v.parse(v.object({ events: v.array(Event) }), history).events
}

export type TaskValues = Required<
  Pick<
    TablesUpdate<'service_tasks'>,
    'name' | 'kind' | 'every_distance' | 'every_moving_time' | 'every_days' | 'outdoor_only'
  >
>

/** A stored task with its service event, if any. */
export const SavedTask = v.object({
  tasks: v.tuple([
    v.object({
      name: v.string(),
      every_distance: v.nullable(v.number()),
      every_moving_time: v.nullable(v.number()),
      every_days: v.nullable(v.number()),
      outdoor_only: v.boolean(),
    }),
  ]),
  events: v.nullable(v.array(v.object({ done_at: v.string() }))),
})

/**
 * Adds a task. Safe to retry. Throws SavedEarlier with the SavedTask if an earlier request with
 * the same key was saved with different values.
 */
export function addTask(
  client: Client,
  values: TaskValues & Owner,
  last_done: string | null,
  { key, insteadOf }: Request,
): Promise<unknown> {
  const args = {
    task: { ...values, request_key: key },
    ...(last_done === null ? {} : { last_done }),
    ...(insteadOf === null ? {} : { instead_of: insteadOf }),
  }
  const write = async () => unwrap(await client.rpc('add_service_task', args))
  return settleWrite(write, write)
}

/** Resolves to false if the task has been removed elsewhere. */
export function changeTask(
  client: Client,
  id: number,
  change: TablesUpdate<'service_tasks'>,
): Promise<boolean> {
  const write = async () =>
    unwrap(await client.from('service_tasks').update(change).eq('id', id).select('id')).length > 0
  return settleWrite(write, write)
}

/** The removed rows, for `restore`, or null if they were already gone. */
export type Removed = Json

/** Removes a task. A retry with the same key resolves to the rows that the first attempt removed. */
export function removeTask(client: Client, task_id: number, request_key = newUuid()): Promise<Removed> {
  const write = async () => unwrap(await client.rpc('remove_service_task', { task_id, request_key }))
  return settleWrite<Removed>(write, write)
}

/** Removes an event. Retries work as in removeTask. */
export function removeEvent(client: Client, event_id: number, request_key = newUuid()): Promise<Removed> {
  const write = async () => unwrap(await client.rpc('remove_service_event', { event_id, request_key }))
  return settleWrite<Removed>(write, write)
}

const Paid = v.object({ events: v.array(v.object({ maintenance_id: v.nullable(v.number()) })) })

export function hasCost(removed: Removed | void): boolean {
  return v.is(Paid, removed) && removed.events.some(({ maintenance_id }) => maintenance_id !== null)
}

export function restore(client: Client, removed: Removed): Promise<unknown> {
  const write = async () => unwrap(await client.rpc('restore_service', { removed }))
  return settleWrite(write, write)
}

/** Marks a task done now, unless it has been done since it was read. Resolves to the event's id. */
export function markDone(client: Client, task: Pick<Task, 'id' | 'newest_event'>): Promise<number> {
  const seen = task.newest_event === null ? {} : { seen: task.newest_event }
  const write = async () => unwrap(await client.rpc('mark_service_done', { task_id: task.id, ...seen }))
  return settleWrite(write, write)
}

export type Correction = {
  done_on: string
  /** In dollars, or null if it was free. */
  cost: number | null
  note: string
  also_done: number[]
  /** Ids of tasks that an earlier attempt may have marked done, but that the owner has since unticked. */
  not_done: number[]
}

/** Resolves to false if the event has been removed elsewhere. */
export function correctEvent(client: Client, event_id: number, correction: Correction): Promise<boolean> {
  const { cost, ...rest } = correction
  const write = async () =>
    unwrap(
      await client.rpc('correct_service_event', { event_id, ...rest, ...(cost === null ? {} : { cost }) }),
    )
  return settleWrite(write, write)
}
