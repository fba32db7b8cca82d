export {
  type Measure,
  measureFormat,
  MEASURE_KEYS,
  type MeasureKey,
  MEASURES,
} from '../../supabase/functions/_shared/measures.ts'
