import type { Client } from '../../lib/backend.ts'
import { AppError } from '../../lib/errors.ts'
import { callSql } from '../../lib/functions.ts'
import type { Item } from './fields.ts'

/** Reads a bike's log, ordered by start date. */
export const readLog = (client: Client, gear_id: number, signal: AbortSignal): Promise<Item[]> =>
  readItems(client, { gear_id }, signal)

/** Reads all bikes' items, ordered by id. */
export const readAllItems = (client: Client, signal: AbortSignal): Promise<Item[]> =>
  readItems(client, {}, signal)

async function readItems(client: Client, of: { gear_id?: number }, signal: AbortSignal): Promise<Item[]> {
  const log = await callSql(client, 'log_items', of, signal)
  if (!log) throw new AppError('unknown_bike', `No bike ${of.gear_id}`)
  return log.items
}
