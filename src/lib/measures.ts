import type { Measure } from '../../supabase/functions/_shared/measures.ts'
import { formatCount, formatDuration, type Value } from './formats.ts'
import type { Units } from './units.ts'

export {
  type Measure,
  MEASURE_KEYS,
  type MeasureKey,
  MEASURES,
} from '../../supabase/functions/_shared/measures.ts'

/** Returns how a measure's stored values are shown: `1,234.5 mi`, `01:05:09`, `142`. */
export function measureFormat({ format }: Measure, units: Units): (stored: Value) => string {
  switch (format) {
    case 'time':
      return formatDuration
    case 'count':
      return formatCount
    default:
      return units[format].format
  }
}
