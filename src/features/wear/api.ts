import * as v from 'valibot'

import type { TablesInsert, TablesUpdate } from '../../../supabase/database.types.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

export const READINGS = ['under', 'at', 'over'] as const

const Measurement = v.object({
  id: v.number(),
  measured_on: v.string(),
  /** The exact value; with a reading, the mark of the gauge. Null: the mark is the limit. */
  value: v.nullable(v.number()),
  /** What a gauge says that shows no values. Null: the value is exact. */
  reading: v.nullable(v.picklist(READINGS)),
  unit: v.string(),
  tool: v.string(),
  limit: v.nullable(v.number()),
  note: v.nullable(v.string()),
  /** Meters of the part on that day. */
  distance: v.number(),
})

const Series = v.object({
  unit: v.string(),
  tool: v.string(),
  limit: v.nullable(v.number()),
  /** Meters at which the limit wasn't reached yet. */
  not_before: v.nullable(v.number()),
  /** Meters at which the limit is reached: between two readings of a gauge, or where a line through the values meets it. */
  estimate: v.nullable(v.object({ kind: v.picklist(['line', 'bracket']), from: v.number(), to: v.number() })),
  /** The day on which it has likely been ridden that far. */
  likely: v.nullable(v.string()),
  measurements: v.array(Measurement),
})

const Answer = v.object({
  wear: v.object({
    /** Meters of the part until now. */
    distance: v.number(),
    series: v.array(Series),
  }),
})

export type Measurement = v.InferOutput<typeof Measurement>
export type Series = v.InferOutput<typeof Series>
export type Wear = v.InferOutput<typeof Answer>['wear']

/** A part's measurements by unit and tool, with estimates. */
export async function readWear(client: Client, partId: number, signal: AbortSignal): Promise<Wear> {
  return v.parse(Answer, await callFunction(client, 'part-lifetimes', { body: { wear: partId }, signal }))
    .wear
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
