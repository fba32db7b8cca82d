import * as v from 'valibot'

import type { Json, TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

/** The limits of a task, in the order in which they are shown. */
export const AXES = ['distance', 'moving_time', 'days'] as const

export type Axis = (typeof AXES)[number]

const KINDS = ['service', 'replace', 'check'] as const

const limit = v.nullable(v.number())

const Task = v.object({
  id: v.number(),
  /** Where the part is, or was last. */
  gear_id: v.number(),
  /** The latest item of the part; null for a task of a bike. */
  item_id: v.nullable(v.number()),
  part_id: v.nullable(v.number()),
  item_name: v.nullable(v.string()),
  item_type: v.nullable(v.string()),
  name: v.string(),
  kind: v.picklist(KINDS),
  /** Meters, seconds and days. */
  every: v.object({ distance: limit, moving_time: limit, days: limit }),
  used: v.object({ distance: v.number(), moving_time: v.number(), days: v.number() }),
  /** How much of the limit that decides is used up. */
  fraction: v.number(),
  /** The limit that decides. */
  axis: v.picklist(AXES),
  state: v.picklist(['ok', 'soon', 'due', 'overdue', 'snoozed', 'paused']),
  snoozed_until: v.nullable(v.string()),
  /** Snoozed until this many meters are used. */
  snoozed_distance: v.nullable(v.number()),
  baseline: v.nullable(v.string()),
  newest_event: v.nullable(v.number()),
  /** When it will likely be due. Days; without a range, only `likely` is known. Null: no date. */
  forecast: v.nullable(
    v.object({ early: v.nullable(v.string()), likely: v.string(), late: v.nullable(v.string()) }),
  ),
  forecast_note: v.nullable(v.picklist(['first_year', 'resting', 'low_score', 'over_a_year'])),
  /** Less than two typical rides are left. */
  is_next_ride: v.boolean(),
})

/** A service task and how much of it is used up. */
export type Task = v.InferOutput<typeof Task>

/** Reads the tasks of all bikes, the most urgent first. */
export async function readTasks(client: Client, signal: AbortSignal): Promise<Task[]> {
  const response = await callFunction(client, 'service-due', { body: {}, signal })
  return v.parse(v.object({ tasks: v.array(Task) }), response).tasks
}

const Explanation = v.object({
  axis: v.picklist(['distance', 'moving_time']),
  /** Meters or seconds. */
  remaining: v.number(),
  /** How many days the same amount took: before each day of the last year, and in earlier years. */
  windows: v.object({ recent: v.array(v.number()), earlier: v.array(v.number()) }),
  /** Their 5th, 50th and 95th percentile, in days. */
  range: v.object({ early: v.number(), likely: v.number(), late: v.number() }),
  /** How often the bike's ranges held in the last year. */
  score: v.object({ held: v.number(), times: v.number() }),
})

/** What a forecast is made of. */
export type Explanation = v.InferOutput<typeof Explanation>

/** Reads what the forecast of a task is made of. Null if it isn't made of earlier rides. */
export async function readExplanation(
  client: Client,
  { id, gear_id }: Pick<Task, 'id' | 'gear_id'>,
  signal: AbortSignal,
): Promise<Explanation | null> {
  const response = await callFunction(client, 'service-due', { body: { gear_id, explain: id }, signal })
  return v.parse(v.object({ explanation: v.nullable(Explanation) }), response).explanation
}

const Event = v.object({
  id: v.number(),
  task_id: v.number(),
  /** The name of the task. */
  name: v.string(),
  done_at: v.string(),
  note: v.nullable(v.string()),
  cost: v.nullable(v.number()),
  /** Meters of the part or bike when it was done. */
  distance: v.number(),
})

/** One time a task was done. */
export type ServiceEvent = v.InferOutput<typeof Event>

/** What has tasks: a part or a bike. */
export type Owner = { part_id: number } | { gear_id: number }

/** Reads when the tasks of a part or a bike were done, the latest first. */
export async function readHistory(
  client: Client,
  owner: Owner,
  signal: AbortSignal,
): Promise<ServiceEvent[]> {
  const history = unwrap(await client.rpc('service_history', owner).abortSignal(signal))
  return v.parse(v.object({ events: v.array(Event) }), history).events
}

/** What the owner enters for a task. */
export type TaskValues = Required<
  Pick<TablesUpdate<'service_tasks'>, 'name' | 'kind' | 'every_distance' | 'every_moving_time' | 'every_days'>
>

/** Adds a task. Sending the same request key again adds nothing. */
export function addTask(
  client: Client,
  task: TaskValues & Owner & { request_key: string },
  last_done: string | null,
): Promise<unknown> {
  const write = async () =>
    unwrap(await client.rpc('add_service_task', last_done === null ? { task } : { task, last_done }))
  return settleWrite(write, write)
}

/** Changes columns of a task. Resolves to false if it was removed elsewhere. */
export function changeTask(
  client: Client,
  id: number,
  change: TablesUpdate<'service_tasks'>,
): Promise<boolean> {
  const write = async () =>
    unwrap(await client.from('service_tasks').update(change).eq('id', id).select('id')).length > 0
  return settleWrite(write, write)
}

/** What is needed to restore what was removed; null if it was already gone. */
export type Removed = Json

export function removeTask(client: Client, id: number): Promise<Removed> {
  return settleWrite<Removed>(
    async () => unwrap(await client.rpc('remove_service_task', { task_id: id })),
    async () => unwrap(await client.rpc('remove_service_task', { task_id: id })),
  )
}

export function removeEvent(client: Client, id: number): Promise<Removed> {
  const write = async () => unwrap(await client.rpc('remove_service_event', { event_id: id }))
  return settleWrite<Removed>(write, write)
}

export function restore(client: Client, removed: Removed): Promise<unknown> {
  const write = async () => unwrap(await client.rpc('restore_service', { removed }))
  return settleWrite(write, write)
}

/** Marks a task done now, unless it was already done since the task was read. Resolves to the event. */
export function markDone(client: Client, task: Pick<Task, 'id' | 'newest_event'>): Promise<number> {
  const seen = task.newest_event === null ? {} : { seen: task.newest_event }
  const write = async () => unwrap(await client.rpc('mark_service_done', { task_id: task.id, ...seen }))
  return settleWrite(write, write)
}

export type Correction = {
  done_on: string
  /** Dollars; null: free. */
  cost: number | null
  note: string
  /** Other tasks to mark done at the same time. */
  also_done: number[]
}

/** Changes an event. Resolves to false if it was removed elsewhere. */
export function correctEvent(client: Client, event_id: number, correction: Correction): Promise<boolean> {
  const { cost, ...rest } = correction
  const write = async () =>
    unwrap(
      await client.rpc('correct_service_event', { event_id, ...rest, ...(cost === null ? {} : { cost }) }),
    )
  return settleWrite(write, write)
}
