// Screens show this until the changes that wait are saved. Numbers that the tracker computes stay as they were read.
import type { Values } from '../../lib/errors.ts'
import type { Known } from '../../lib/resource.ts'
import type { Waiting } from '../../lib/waiting.ts'
import { edited } from '../../lib/waiting-rows.ts'
import { compareTimes, type Item } from './fields.ts'
import type { Measurement, PartDetails, Period } from './usage-api.ts'
import { partsChangeOf } from './waiting-parts.ts'

/** Applies the changes that wait to log entries, of one bike or of all. */
export const applyToLog =
  (bike?: number) =>
  (items: Item[], changes: readonly Waiting[], { saved }: Pick<Known, 'saved'>): Item[] => {
    const waitingIds = new Map([...saved].map(([waitingId, { item }]) => [item, waitingId]))
    const all = changes.reduce(
      (before, change) => afterChange(before, change, (one) => (bike ?? one.bikeId) === one.bikeId),
      items,
    )
    const shown = all.map((item) => {
      const waitingId = waitingIds.get(item.id)
      return waitingId === undefined ? item : Object.assign({}, item, { waitingId })
    })
    // The log's order. All items are ordered by id.
    return bike === undefined ? shown : shown.toSorted((a, b) => compareTimes(a.dateStarted, b.dateStarted))
  }

function afterChange(items: Item[], change: Waiting, isHere: (item: Item) => boolean): Item[] {
  const { moment, off, on } = partsChangeOf(change)
  const known = new Set(items.map(({ id }) => id))
  const added = on.map(({ item }) => item).filter((one) => isHere(one) && !known.has(one.id))
  const changed = items.map((item) => {
    const end = off.find(({ id }) => id === item.id)
    const isFiled = change.command === 'add_file' && change.input.item_id === item.id
    return {
      ...edited('maintenance', item, [change]),
      ...(end && { ended_as: end.ended_as, dateEnded: moment }),
      ...(isFiled && { file_count: (item.file_count ?? 0) + 1 }),
    }
  })
  return [...changed, ...added]
}

const NO_ESTIMATE = { not_before: null, reached_on: null, estimate: null, likely: null }

/** Applies the changes that wait to the periods and measurements of a part. */
export function applyToPart(part: PartDetails, changes: readonly Waiting[]): PartDetails {
  const { wear } = part
  const periods = changes.reduce((before, change) => periodsAfter(part.part_id, before, change), part.periods)
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
    else series.push({ unit, tool, limit, ...NO_ESTIMATE, measurements: [row] })
  }
  // The rows are this function's own, so they can be sorted in place.
  for (const { measurements } of series)
    measurements.sort((a, b) => compareTimes(a.measured_on, b.measured_on))
  return { ...part, periods, wear: { ...wear, series } }
}

/** Ends a part's period, and begins the next one, whose rides only the tracker can count. */
function periodsAfter(part: number, periods: readonly Period[], change: Waiting): readonly Period[] {
  const { moment, off, on } = partsChangeOf(change)
  const ended = periods.map((period) => {
    const end = off.find(({ id }) => id === period.id)
    return end ? { ...period, dateEnded: moment, ended_as: end.ended_as } : period
  })
  const begun = on
    .filter(({ item }) => item.part_id === part && ended.every(({ id }) => id !== item.id))
    .map(({ item }) => begunBy(item))
  return [...ended, ...begun]
}

function begunBy({ id, bikeId, name, cost, dateStarted, position }: Item): Period {
  const place = { id, gear_id: bikeId, name, cost, position, dateStarted, dateEnded: null, ended_as: null }
  return { ...place, rides: 0, distance: 0, moving_time: 0, isUncounted: true }
}

const measurementOf = (values: Values, id: number, distance: number) =>
  ({ reading: null, value: null, tool: '', limit: null, note: null, ...values, id, distance }) as Measurement
