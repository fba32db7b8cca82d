import type {
  Measurement,
  Wear,
  WearSeries,
} from '../../../../supabase/functions/maintenance-use/contract.ts'
import type { Tables, TablesUpdate } from '../../../../supabase/database.types.ts'
import type { Client } from '../../../lib/backend.ts'
import { AppError, SavedEarlier, unwrap } from '../../../lib/errors.ts'
import { repeatIfLost, type Writer } from '../../../lib/writes.ts'

export type { Measurement, Wear, WearSeries }

const FIELDS = ['measured_on', 'value', 'reading', 'unit', 'tool', 'limit', 'note'] as const

export type MeasurementValues = Required<Pick<TablesUpdate<'wear_measurements'>, (typeof FIELDS)[number]>>

export const valuesOf = (measurement: Measurement | StoredMeasurement) =>
  Object.fromEntries(FIELDS.map((field) => [field, measurement[field]])) as MeasurementValues

export type StoredMeasurement = Tables<'wear_measurements'>

const COLUMNS = 'id, part_id, measured_on, value, reading, unit, tool, limit, note, request_key'

/**
 * Adds a measurement under its change's id. Safe to retry. Throws SavedEarlier with the
 * StoredMeasurement if an earlier request with the same key was saved with different values.
 */
export function addMeasurement(
  client: Client,
  part_id: number,
  values: MeasurementValues,
  request_key: string,
): Promise<string> {
  const write = async (writer: Writer, change: string) => {
    const table = writer.from('wear_measurements')
    const options = { onConflict: 'request_key', ignoreDuplicates: true }
    unwrap(await table.upsert({ ...values, part_id, request_key }, options))
    const [stored] = unwrap(await table.select(COLUMNS).eq('request_key', request_key))
    if (!stored) throw new AppError('RMT22', 'The measurement was removed')
    if (FIELDS.some((field) => stored[field] !== values[field])) throw new SavedEarlier(stored)
    return change
  }
  return repeatIfLost(client, write, request_key)
}
