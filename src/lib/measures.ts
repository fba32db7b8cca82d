import type { Measure } from '../../supabase/functions/_shared/measures.ts'
import { formatCount, formatDuration, type Formats, type Value } from './formats.ts'

export {
  type Measure,
  MEASURE_KEYS,
  type MeasureKey,
  MEASURES,
} from '../../supabase/functions/_shared/measures.ts'

/** Returns how a measure's stored values are shown: `1,234.5 mi`, `01:05:09`, `142`. */
export function measureFormat({ format }: Measure, formats: Formats): (stored: Value) => string {
  switch (format) {
    case 'time':
      return formatDuration
    case 'count':
      return formatCount
    default:
      return formats[format].format
  }
}
