import type {
  Measurement,
  Wear,
  WearCall,
  WearSeries,
} from '../../../supabase/functions/part-lifetimes/contract.ts'
import type { TablesInsert, TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

export type { Measurement, Wear, WearSeries }

export const READINGS = ['under', 'at', 'over'] as const satisfies readonly Measurement['reading'][]

/** A part's measurements by unit and tool, with estimates. */
export async function readWear(client: Client, partId: number, signal: AbortSignal): Promise<Wear> {
  const body = { wear: partId }
  return (await callFunction<WearCall>(client, 'part-lifetimes', { body, signal })).wear
}

/** What the owner enters. */
export type MeasurementValues = Required<
  Pick<
    TablesUpdate<'wear_measurements'>,
    'measured_on' | 'value' | 'reading' | 'unit' | 'tool' | 'limit' | 'note'
  >
>

/** Adds a measurement with a request key, or a removed one with its id. Repeating it adds nothing. Resolves to its id. */
export function addMeasurement(
  client: Client,
  measurement: TablesInsert<'wear_measurements'>,
): Promise<number> {
  const write = async () => {
    const onConflict = measurement.id === undefined ? 'request_key' : 'id'
    const table = client.from('wear_measurements')
    unwrap(await table.upsert(measurement, { onConflict, ignoreDuplicates: true }).select('id'))
    const [stored] = unwrap(await table.select('id').eq(onConflict, measurement[onConflict] ?? ''))
    return stored?.id ?? 0
  }
  return settleWrite(write, write)
}

export function changeMeasurement(client: Client, id: number, values: MeasurementValues): Promise<unknown> {
  const write = async () =>
    unwrap(await client.from('wear_measurements').update(values).eq('id', id).select('id'))
  return settleWrite(write, write)
}

export function removeMeasurement(client: Client, id: number): Promise<unknown> {
  const write = async () => unwrap(await client.from('wear_measurements').delete().eq('id', id).select('id'))
  return settleWrite(write, write)
}
