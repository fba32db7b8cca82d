import { type CsvValue, toCsv } from '../../lib/csv.ts'
import { type Day } from '../../lib/days.ts'
import { formatDuration, toFeet, toMiles, toMilesPerHour } from '../../lib/formats.ts'
import { isEstimate } from './AverageWatts.tsx'
import type { RideRow } from './rows.ts'
import { fold } from './search.ts'
import type { Measure } from './sort.ts'

type Column = { header: string; value: (ride: RideRow) => CsvValue }

/** A measure as it is stored, and as it is shown. */
function twice(
  id: Measure,
  header: string,
  unit: string,
  shownUnit: string,
  shown: (value: number) => CsvValue,
): Column[] {
  return [
    { header: `${header} (${unit})`, value: (ride) => ride[id] },
    {
      header: `${header} (${shownUnit})`,
      value: ({ [id]: value }) => (value === null ? null : shown(value)),
    },
  ]
}

function once(id: Measure, header: string): Column {
  return { header, value: (ride) => ride[id] }
}

const COLUMNS: readonly Column[] = [
  { header: 'Ride', value: (ride) => ride.id },
  { header: 'Name', value: (ride) => ride.name },
  { header: 'Gear', value: (ride) => ride.gearName },
  { header: 'Start', value: (ride) => ride.started_at?.slice(0, 19).replace('T', ' ') ?? null },
  ...twice('distance', 'Distance', 'm', 'mi', toMiles),
  ...twice('duration', 'Duration', 's', 'HH:MM:SS', formatDuration),
  ...twice('moving_time', 'Moving Time', 's', 'HH:MM:SS', formatDuration),
  ...twice('max_speed', 'Max Speed', 'km/h', 'mph', toMilesPerHour),
  ...twice('avg_speed', 'Avg Speed', 'km/h', 'mph', toMilesPerHour),
  once('avg_hr', 'Avg HR (bpm)'),
  once('max_hr', 'Max HR (bpm)'),
  once('avg_watts', 'Average Watts (W)'),
  {
    header: 'Average Watts estimated',
    value: (ride) => (ride.avg_watts === null ? null : isEstimate(ride) ? 'yes' : 'no'),
  },
  once('max_watts', 'Max Watts (W)'),
  once('avg_cad', 'Average Cadence (rpm)'),
  ...twice('elevation_gain', 'Elev. Gain', 'm', 'ft', toFeet),
]

/** The given rides, in the given order, as a CSV file: each measure as it is stored and as it is shown. */
export function ridesToCsv(rides: readonly RideRow[]): string {
  return toCsv(
    COLUMNS.map(({ header }) => header),
    rides.map((ride) => COLUMNS.map(({ value }) => value(ride))),
  )
}

/** A name for the file that every file system takes. */
export function csvFileName(gear: string, today: Day): string {
  const name = fold(gear)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return ['rides', name, today].filter(Boolean).join('-') + '.csv'
}
