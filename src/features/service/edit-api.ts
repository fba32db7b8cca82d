import type { Client } from '../../lib/backend.ts'
import { AppError } from '../../lib/errors.ts'
import type { Answer } from '../../lib/functions.ts'
import { type Request, write } from '../../lib/writes.ts'
import type { Owner, TaskValues } from './api.ts'

/**
 * Adds a task. Safe to retry. Throws SavedEarlier if an earlier request with
 * the same key was saved with different values.
 */
export function addTask(
  client: Client,
  values: TaskValues & Owner,
  last_done: string | null,
  { key, insteadOf }: Request,
): Promise<Answer<'add_service_task'>> {
  const args = {
    task: { ...values, request_key: key },
    ...(last_done === null ? {} : { last_done }),
    ...(insteadOf === null ? {} : { instead_of: insteadOf }),
  }
  return write(client, 'add_service_task', args, key)
}

export type EventValues = {
  done_on: string
  /** Null if it was free. */
  cost: number | null
  note: string | null
}

export type Correction = {
  /** What the form showed. */
  shown: EventValues
  /** What the owner has changed. */
  wanted: Partial<EventValues>
  also_done: number[]
  /** Ids of tasks that an earlier attempt may have marked done, but that the owner has since unticked. */
  not_done: number[]
}

export async function correctEvent(client: Client, event_id: number, correction: Correction): Promise<void> {
  const { found } = await write(client, 'correct_service_event', { event_id, ...correction })
  if (!found) throw new AppError('RMT22', `Event ${event_id} was removed`)
}
