import type {
  Measurement,
  Wear,
  WearSeries,
} from '../../../../../supabase/functions/maintenance-use/contract.ts'

export type { Measurement, Wear, WearSeries }

const FIELDS = ['measured_on', 'value', 'reading', 'unit', 'tool', 'limit', 'note'] as const

export type MeasurementValues = Pick<Measurement, (typeof FIELDS)[number]>

export const valuesOf = (measurement: Measurement) =>
  Object.fromEntries(FIELDS.map((field) => [field, measurement[field]])) as MeasurementValues
