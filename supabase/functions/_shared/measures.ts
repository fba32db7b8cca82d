/**
 * What a ride measures, in the order of the ride list. Tables, totals, sorting, files, the record of changes and the schema
 * of Ride with GPS derive from this list. To add a measure, add it here and as a column of `rides` and `ride_changes`.
 *
 * `unit` is the stored unit, which is the unit of Ride with GPS. `format` says how people read it.
 */
export const MEASURES = [
  { key: 'distance', label: 'Distance', unit: 'm', format: 'distance', total: 'sum' },
  { key: 'duration', label: 'Duration', unit: 's', format: 'time', total: 'sum' },
  { key: 'moving_time', label: 'Moving Time', unit: 's', format: 'time', total: 'sum' },
  { key: 'max_speed', label: 'Max Speed', unit: 'km/h', format: 'speed', total: 'highest' },
  { key: 'avg_speed', label: 'Avg Speed', unit: 'km/h', format: 'speed', total: 'average' },
  { key: 'avg_hr', label: 'Avg HR', unit: 'bpm', format: 'count', total: 'average' },
  { key: 'max_hr', label: 'Max HR', unit: 'bpm', format: 'count', total: 'highest' },
  { key: 'avg_watts', label: 'Average Watts', unit: 'W', format: 'count', total: 'average' },
  { key: 'max_watts', label: 'Max Watts', unit: 'W', format: 'count', total: 'highest' },
  { key: 'avg_cad', label: 'Average Cadence', unit: 'rpm', format: 'count', total: 'average' },
  { key: 'elevation_gain', label: 'Elev. Gain', unit: 'm', format: 'elevation', total: 'sum' },
] as const

export type Measure = (typeof MEASURES)[number]
export type MeasureKey = Measure['key']

type KeysOf<List extends readonly Measure[]> = { -readonly [Index in keyof List]: List[Index]['key'] }
export const MEASURE_KEYS = MEASURES.map(({ key }) => key) as KeysOf<typeof MEASURES>
