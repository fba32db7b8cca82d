import type {
  Measurement,
  Wear,
  WearSeries,
} from '../../../../supabase/functions/maintenance-use/contract.ts'
import type { Tables, TablesUpdate } from '../../../../supabase/database.types.ts'
import type { Client } from '../../../lib/backend.ts'
import { AppError, SavedEarlier, unwrap } from '../../../lib/errors.ts'
import { type Request, settleWrite } from '../../../lib/writes.ts'

export type { Measurement, Wear, WearSeries }

export const READINGS = ['under', 'at', 'over'] as const satisfies readonly Measurement['reading'][]

const FIELDS = ['measured_on', 'value', 'reading', 'unit', 'tool', 'limit', 'note'] as const

export type MeasurementValues = Required<Pick<TablesUpdate<'wear_measurements'>, (typeof FIELDS)[number]>>

export const valuesOf = (measurement: Measurement) =>
  Object.fromEntries(FIELDS.map((field) => [field, measurement[field]])) as MeasurementValues

export type StoredMeasurement = Tables<'wear_measurements'>

const COLUMNS = 'id, part_id, measured_on, value, reading, unit, tool, limit, note, request_key'

/**
 * Adds a measurement and resolves to its id. Safe to retry. Throws SavedEarlier with the
 * StoredMeasurement if an earlier request with the same key was saved with different values.
 */
export function addMeasurement(
  client: Client,
  part_id: number,
  values: MeasurementValues,
  { key, insteadOf }: Request,
): Promise<number> {
  const table = client.from('wear_measurements')
  const write = async () => {
    if (insteadOf !== null) {
      const [changed] = unwrap(await table.update(values).eq('request_key', insteadOf).select('id'))
      if (!changed) throw new AppError('gone', 'The measurement was removed')
      return changed.id
    }
    const options = { onConflict: 'request_key', ignoreDuplicates: true }
    unwrap(await table.upsert({ ...values, part_id, request_key: key }, options))
    const [stored] = unwrap(await table.select(COLUMNS).eq('request_key', key))
    if (!stored) throw new AppError('gone', 'The measurement was removed')
    if (FIELDS.some((field) => stored[field] !== values[field])) throw new SavedEarlier(stored)
    return stored.id
  }
  return settleWrite(write, write)
}

export function changeMeasurement(client: Client, id: number, values: MeasurementValues): Promise<unknown> {
  const write = async () =>
    unwrap(await client.from('wear_measurements').update(values).eq('id', id).select('id'))
  return settleWrite(write, write)
}

/** Removes a measurement. Resolves to the removed measurement, or to null if it was already gone. */
export async function removeMeasurement(client: Client, id: number): Promise<StoredMeasurement | null> {
  const table = client.from('wear_measurements')
  // Read the row first, in case the response to the removal is lost.
  const [stored] = unwrap(await table.select(COLUMNS).eq('id', id))
  const write = async () => unwrap(await table.delete().eq('id', id).select(COLUMNS))[0] ?? stored ?? null
  return settleWrite(write, write)
}

/** Restores a removed measurement. Succeeds even if it was already restored. */
export function restoreMeasurement(client: Client, measurement: StoredMeasurement): Promise<unknown> {
  const options = { onConflict: 'id', ignoreDuplicates: true }
  const write = async () => unwrap(await client.from('wear_measurements').upsert(measurement, options))
  return settleWrite(write, write)
}
