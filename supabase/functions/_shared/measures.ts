import { formatCount, formatDuration, type Formats, type Value } from './formats/formats.ts'

/**
 * The measures of a ride, in the order of the ride list. Tables, totals, sorting, files, the record of changes and the schema
 * of Ride with GPS derive from this list. To add a measure, add it here and as a column of `rides` and `listed_rides`.
 *
 * `unit` is the stored unit, which is the unit of Ride with GPS. `format` says how people read it. `width` is its column's
 * width at first, in pixels.
 */
export const MEASURES = [
  { key: 'distance', label: 'Distance', unit: 'm', format: 'distance', total: 'sum', width: 120 },
  { key: 'duration', label: 'Duration', unit: 's', format: 'time', total: 'sum', width: 108 },
  { key: 'moving_time', label: 'Moving Time', unit: 's', format: 'time', total: 'sum', width: 132 },
  { key: 'max_speed', label: 'Max Speed', unit: 'km/h', format: 'speed', total: 'highest', width: 124 },
  { key: 'avg_speed', label: 'Avg Speed', unit: 'km/h', format: 'speed', total: 'average', width: 116 },
  { key: 'avg_hr', label: 'Avg HR', unit: 'bpm', format: 'count', total: 'average', width: 94 },
  { key: 'max_hr', label: 'Max HR', unit: 'bpm', format: 'count', total: 'highest', width: 94 },
  { key: 'avg_watts', label: 'Average Watts', unit: 'W', format: 'count', total: 'average', width: 146 },
  { key: 'max_watts', label: 'Max Watts', unit: 'W', format: 'count', total: 'highest', width: 116 },
  { key: 'avg_cad', label: 'Average Cadence', unit: 'rpm', format: 'count', total: 'average', width: 166 },
  { key: 'elevation_gain', label: 'Elev. Gain', unit: 'm', format: 'elevation', total: 'sum', width: 118 },
] as const

export type Measure = (typeof MEASURES)[number]
export type MeasureKey = Measure['key']

type KeysOf<List extends readonly Measure[]> = { -readonly [Index in keyof List]: List[Index]['key'] }
export const MEASURE_KEYS = MEASURES.map(({ key }) => key) as KeysOf<typeof MEASURES>

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
