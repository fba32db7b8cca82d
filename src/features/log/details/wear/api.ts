import type {
  Measurement,
  Wear,
  WearSeries,
} from '../../../../../supabase/functions/maintenance-use/contract.ts'
import type { TablesUpdate } from '../../../../../supabase/database.types.ts'

export type { Measurement, Wear, WearSeries }

const FIELDS = ['measured_on', 'value', 'reading', 'unit', 'tool', 'limit', 'note'] as const

export type MeasurementValues = Required<Pick<TablesUpdate<'wear_measurements'>, (typeof FIELDS)[number]>>

export const valuesOf = (measurement: Measurement) =>
  Object.fromEntries(FIELDS.map((field) => [field, measurement[field]])) as MeasurementValues
