import type { Client } from '../../lib/backend.ts'
import { type CsvValue, toCsv } from '../../lib/csv.ts'
import { formatDuration, type Formats } from '../../lib/formats.ts'
import { type Bike, type NamedBike, readBikes } from '../bikes/api.ts'
import {
  costHeader,
  CSV_FIELD_NAMES,
  CSV_FIELDS,
  type CsvField,
  type CsvItem,
  KEY_HEADERS,
  readCsvItems,
} from '../entries/csv.ts'
import { type Item } from '../entries/fields.ts'
import { readUsage, type UsageTotals } from '../entries/usage-api.ts'

/** Reads one bike's log, or all logs by bike name, as CSV ordered by start. `count` is the number of items. */
export async function readLogCsv(
  client: Client,
  bike: Bike | null,
  formats: Formats,
  signal: AbortSignal,
): Promise<{ text: string; count: number }> {
  const all = await readCsvItems(client, signal)
  const items = bike ? all.filter(({ bikeId }) => bikeId === bike.gear_id) : all
  const bikes = bike ? [bike] : await readBikes(client, signal)
  const lines = await Promise.all(
    bikes.map(async (bike): Promise<LogLine[]> => {
      const log = items.filter(({ bikeId }) => bikeId === bike.gear_id).toSorted(byStart)
      if (log.length === 0) return []
      const { byItem } = await readUsage(client, bike.gear_id, signal)
      return log.map((item) => ({ item, bike, usage: byItem.get(item.id) }))
    }),
  )
  return { text: logToCsv(lines.flat(), formats), count: items.length }
}

function byStart(a: Item, b: Item): number {
  return a.dateStarted < b.dateStarted ? -1 : a.dateStarted > b.dateStarted ? 1 : a.id - b.id
}

type LogLine = { item: CsvItem; bike: NamedBike; usage: UsageTotals | undefined }

type Column = { header: string; value: (line: LogLine) => CsvValue }

const LAST: readonly CsvField[] = ['kind', 'position']

function columnsIn({ name, distance, settings }: Formats): Column[] {
  const column = (field: CsvField): Column => {
    const { label, toCsv } = CSV_FIELDS[field]
    return {
      header: field === 'cost' ? costHeader(settings.currency) : label,
      value: ({ item: { [field]: value = null } }) => (value === null ? null : (toCsv?.(value) ?? value)),
    }
  }
  return [
    { header: KEY_HEADERS.id, value: ({ item }) => item.id },
    { header: KEY_HEADERS.bikeId, value: ({ item }) => item.bikeId },
    { header: KEY_HEADERS.bike, value: ({ bike }) => bike.name },
    ...CSV_FIELD_NAMES.filter((field) => !LAST.includes(field)).map(column),
    { header: KEY_HEADERS.part, value: ({ item }) => item.part_id },
    { header: `Use ${name}`, value: ({ usage }) => (usage ? distance.of(usage.distance) : null) },
    { header: 'Use Time', value: ({ usage }) => (usage ? formatDuration(usage.moving_time) : null) },
    // Files of version 1.0 end here, and spreadsheets may go by the place of a column.
    ...LAST.map(column),
  ]
}

export function logToCsv(lines: readonly LogLine[], formats: Formats): string {
  const columns = columnsIn(formats)
  return toCsv(
    columns.map(({ header }) => header),
    lines.map((line) => columns.map(({ value }) => value(line))),
  )
}
