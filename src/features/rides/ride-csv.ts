import { type CsvValue, toCsv } from '../../lib/csv.ts'
import type { Day } from '../../lib/days.ts'
import { formatDuration, type Formats } from '../../lib/formats.ts'
import { type Measure, MEASURES } from '../../lib/measures.ts'
import { fold } from '../../lib/search.ts'
import { isEstimate } from './cells.tsx'
import { type RideRow } from './rows.ts'

type Column = { header: string; value: (ride: RideRow) => CsvValue }

/** Returns a measure's column in the stored unit and, if people read another unit, a column in that unit. */
function columnsOf({ key, label, unit, format }: Measure, formats: Formats): Column[] {
  const stored: Column = { header: `${label} (${unit})`, value: (ride) => ride[key] }
  if (format === 'count') return [stored]
  const shown = format === 'time' ? TIME : formats[format]
  if (shown.unit === unit) return [stored]
  const value = ({ [key]: value }: RideRow) => (value === null ? null : shown.of(value))
  return [stored, { header: `${label} (${shown.unit})`, value }]
}

const TIME = { unit: 'HH:MM:SS', of: formatDuration }

const ESTIMATED: Column = {
  header: 'Average Watts estimated',
  value: (ride) => (ride.avg_watts === null ? null : isEstimate(ride) ? 'yes' : 'no'),
}

function columnsIn(formats: Formats): Column[] {
  return [
    { header: 'Ride', value: (ride) => ride.id },
    { header: 'Name', value: (ride) => ride.name },
    { header: 'Gear', value: (ride) => ride.gearName },
    { header: 'Start', value: (ride) => ride.started_at?.slice(0, 19).replace('T', ' ') ?? null },
    ...MEASURES.flatMap((measure) => {
      const columns = columnsOf(measure, formats)
      return measure.key === 'avg_watts' ? columns.concat(ESTIMATED) : columns
    }),
  ]
}

export function ridesToCsv(rides: readonly RideRow[], formats: Formats): string {
  const columns = columnsIn(formats)
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
