// Screens show this until the changes that wait are saved. Numbers that the tracker computes stay as they were read.
import type { Values } from '../../lib/errors.ts'
import type { SavedIds, Waiting } from '../../lib/waiting.ts'
import { edited, itemOf } from '../../lib/waiting-rows.ts'
import { compareTimes, type Item } from './fields.ts'
import type { Measurement, PartDetails } from './usage-api.ts'

/** Applies the changes that wait to log entries, of one bike or of all. */
export const applyToLog =
  (bike?: number) =>
  (items: Item[], changes: readonly Waiting[], saved: ReadonlyMap<number, SavedIds>): Item[] => {
    const waitingIds = new Map([...saved].map(([waitingId, { item }]) => [item, waitingId]))
    const known = new Set(items.map(({ id }) => id))
    const added = changes.flatMap((one): Item[] =>
      one.command === 'add_item' &&
      !known.has(one.id) &&
      (bike ?? one.input.item['bikeId']) === one.input.item['bikeId']
        ? [itemOf(one.input.item, one.id, one.part) as unknown as Item]
        : [],
    )
    const ends = changes.flatMap((one) =>
      one.command === 'add_item'
        ? (one.input.replaces?.map((off) => ({
            ...off,
            dateEnded: one.input.item['dateStarted'] as string,
          })) ?? [])
        : [],
    )
    const all = [...items, ...added].map((item) => {
      const files = changes.filter((one) => one.command === 'add_file' && one.input.item_id === item.id)
      const waitingId = waitingIds.get(item.id)
      return Object.assign(
        edited('maintenance', item, changes),
        ends.find(({ id }) => id === item.id),
        waitingId !== undefined && { waitingId },
        files.length > 0 && { file_count: (item.file_count ?? 0) + files.length },
      )
    })
    // The log's order. All items are ordered by id.
    return bike === undefined ? all : all.toSorted((a, b) => compareTimes(a.dateStarted, b.dateStarted))
  }

/** Applies the changes that wait to the measurements of a part. */
export function applyToPart(part: PartDetails, changes: readonly Waiting[]): PartDetails {
  const { wear } = part
  const added = changes.flatMap((one) =>
    one.command === 'add_measurement' && one.input.part_id === part.part_id
      ? [measurementOf(one.input.measurement as Values, one.id, wear.distance)]
      : [],
  )
  const series = wear.series.map((one) => ({
    ...one,
    measurements: one.measurements.map((row) => edited('wear_measurements', row, changes)),
  }))
  for (const row of added.map((one) => edited('wear_measurements', one, changes))) {
    const { unit, tool, limit } = row
    const known = series.find((one) => one.unit === unit && one.tool === tool)
    if (known) known.measurements.push(row)
    else
      series.push({ unit, tool, limit, not_before: null, estimate: null, likely: null, measurements: [row] })
  }
  // The rows are this function's own, so they can be sorted in place.
  for (const { measurements } of series)
    measurements.sort((a, b) => compareTimes(a.measured_on, b.measured_on))
  return { ...part, wear: { ...wear, series } }
}

const measurementOf = (values: Values, id: number, distance: number) =>
  ({ reading: null, value: null, tool: '', limit: null, note: null, ...values, id, distance }) as Measurement
