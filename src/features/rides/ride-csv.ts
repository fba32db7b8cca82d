import { type CsvValue, toCsv } from '../../lib/csv.ts'
import { type Day } from '../../lib/days.ts'
import { formatDuration } from '../../lib/formats.ts'
import type { Units } from '../../lib/units.ts'
import { isEstimate } from './cells.tsx'
import { fold, type RideRow } from './rows.ts'
import type { Measure } from './sort.ts'

type Column = { header: string; value: (ride: RideRow) => CsvValue }

/** Returns a column in the stored unit and, if the display unit differs, another in the display unit. */
function measured(
  id: Measure,
  header: string,
  storedUnit: string,
  shown: { unit: string; of: (value: number) => CsvValue },
): Column[] {
  const column = stored(id, `${header} (${storedUnit})`)
  if (shown.unit === storedUnit) return [column]
  const value = ({ [id]: value }: RideRow) => (value === null ? null : shown.of(value))
  return [column, { header: `${header} (${shown.unit})`, value }]
}

function stored(id: Measure, header: string): Column {
  return { header, value: (ride) => ride[id] }
}

const TIME = { unit: 'HH:MM:SS', of: formatDuration }

function columnsIn({ distance, speed, elevation }: Units): Column[] {
  return [
    { header: 'Ride', value: (ride) => ride.id },
    { header: 'Name', value: (ride) => ride.name },
    { header: 'Gear', value: (ride) => ride.gearName },
    { header: 'Start', value: (ride) => ride.started_at?.slice(0, 19).replace('T', ' ') ?? null },
    ...measured('distance', 'Distance', 'm', distance),
    ...measured('duration', 'Duration', 's', TIME),
    ...measured('moving_time', 'Moving Time', 's', TIME),
    ...measured('max_speed', 'Max Speed', 'km/h', speed),
    ...measured('avg_speed', 'Avg Speed', 'km/h', speed),
    stored('avg_hr', 'Avg HR (bpm)'),
    stored('max_hr', 'Max HR (bpm)'),
    stored('avg_watts', 'Average Watts (W)'),
    {
      header: 'Average Watts estimated',
      value: (ride) => (ride.avg_watts === null ? null : isEstimate(ride) ? 'yes' : 'no'),
    },
    stored('max_watts', 'Max Watts (W)'),
    stored('avg_cad', 'Average Cadence (rpm)'),
    ...measured('elevation_gain', 'Elev. Gain', 'm', elevation),
  ]
}

export function ridesToCsv(rides: readonly RideRow[], units: Units): string {
  const columns = columnsIn(units)
  return toCsv(
    columns.map(({ header }) => header),
    rides.map((ride) => columns.map(({ value }) => value(ride))),
  )
}

/** Returns a file name that is valid on every file system. */
export function csvFileName(gear: string, today: Day): string {
  const name = fold(gear)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return ['rides', name, today].filter(Boolean).join('-') + '.csv'
}
