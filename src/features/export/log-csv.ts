import { type CsvValue, toCsv } from '../../lib/csv.ts'
import { dayOf } from '../../lib/days.ts'
import { formatDuration } from '../../lib/formats.ts'
import type { Units } from '../../lib/units.ts'
import type { Bike } from '../bikes'
import { type Item, LABELS } from '../maintenance'
import type { Ridden } from '../usage'
import { KEY_HEADERS } from './key-headers.ts'

export type LogLine = { item: Item; bike: Bike; ridden: Ridden | undefined }

type Column = { header: string; value: (line: LogLine) => CsvValue }

// The derived columns come last: they are for reading, and an import does not look at them.
function columnsIn({ name, distance }: Units): Column[] {
  return [
    { header: KEY_HEADERS.id, value: ({ item }) => item.id },
    { header: KEY_HEADERS.bikeId, value: ({ item }) => item.bikeId },
    { header: KEY_HEADERS.bike, value: ({ bike }) => bike.name },
    { header: LABELS.type, value: ({ item }) => item.type },
    { header: LABELS.name, value: ({ item }) => item.name },
    { header: LABELS.description, value: ({ item }) => item.description },
    { header: LABELS.cost, value: ({ item }) => item.cost },
    { header: LABELS.dateStarted, value: ({ item }) => dayOf(item.dateStarted) },
    { header: LABELS.dateEnded, value: ({ item }) => item.dateEnded && dayOf(item.dateEnded) },
    { header: `Use ${name}`, value: ({ ridden }) => (ridden ? distance.of(ridden.distance) : null) },
    { header: 'Use Time', value: ({ ridden }) => (ridden ? formatDuration(ridden.moving_time) : null) },
  ]
}

/** The given records in the given order, as a CSV file that a spreadsheet opens and that Import takes back. */
export function logToCsv(lines: readonly LogLine[], units: Units): string {
  const columns = columnsIn(units)
  return toCsv(
    columns.map(({ header }) => header),
    lines.map((line) => columns.map(({ value }) => value(line))),
  )
}
