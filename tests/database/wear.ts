import type { Measurement } from '../../supabase/functions/maintenance-use/contract.ts'
import { isShrinking, usualLimit } from '../../supabase/functions/_shared/parts/wear-units.ts'

export const METERS_PER_MILE = 1609

export const nameKey = (name: string) => name.replaceAll(/\s+/g, '').toLowerCase()

/** A plain computation of what `private.wear_series` returns. */
interface Series {
  unit: string
  tool: string
  limit: number | null
  not_before: number | null
  estimate: { kind: string; from: number; to: number } | null
  reached_on: string | null
  reached_at: number | null
  last_open: number | null
}

const startsAtZero = (unit: string) => nameKey(unit) === nameKey('chain %')

// Smaller differences are within the error of hand tools.
const MIN_METERS = 300 * METERS_PER_MILE
const MIN_WEAR = 0.1
/** The standard deviation of a reading, in % or mm. */
const READING_ERROR = 0.02
/** Standard deviations to each side in a 90 % interval. */
const NINE_IN_TEN = 1.645

/** Groups measurements by unit and tool, and estimates when each group reaches its limit. */
export function plainSeries(measurements: readonly Measurement[]): Series[] {
  return [...Map.groupBy(measurements, seriesKey).values()].map(seriesOf)
}

const seriesKey = ({ unit, tool }: Measurement) => `${nameKey(unit)}\n${nameKey(tool)}`

function seriesOf(measurements: Measurement[]): Series {
  const { unit, tool } = measurements.at(-1)!
  const limit = measurements.findLast((one) => one.limit !== null)?.limit ?? usualLimit(unit)
  const unknown = { not_before: null, estimate: null, reached_on: null, reached_at: null, last_open: null }
  if (limit === null) return { unit, tool, limit, ...unknown }

  const exact = measurements.flatMap(({ value, reading, distance }) => {
    const exactValue = reading === null ? value : reading === 'at' ? (value ?? limit) : null
    return exactValue === null ? [] : { value: exactValue, distance }
  })
  const first = exact[0]?.value
  const grows = startsAtZero(unit) || (!isShrinking(unit) && (first === undefined || first <= limit))
  const bounds = measurements.map((one) => ({ distance: one.distance, ...compare(one, limit, grows) }))
  const distances = (isReached: boolean) =>
    bounds.filter((one) => one.isReached === isReached).map(({ distance }) => distance)
  const [open, reached] = [distances(false), distances(true)]
  const not_before = open.length === 0 ? null : Math.max(...open)
  const by = reached.length === 0 ? null : Math.min(...reached)
  // A new chain is known without a reading.
  const isFirst = exact.length === 1 && by === null && startsAtZero(unit)
  const known = isFirst ? [{ value: 0, distance: 0 }, ...exact] : exact
  const crossing = crossingOf(known, limit, grows)
  const from = Math.max(crossing?.from ?? Infinity, not_before ?? 0)
  const to = Math.min(crossing?.to ?? 0, by ?? Infinity)
  let estimate: Series['estimate'] = null
  if (from <= to) estimate = { kind: 'line', from, to }
  // Contradictory readings give no estimate.
  else if (by !== null && not_before !== null && not_before <= by)
    estimate = { kind: 'bracket', from: not_before, to: by }
  const openAt = bounds.findLastIndex(({ isReached }) => isReached === false)
  const latest = measurements.filter((_, index) => index > openAt && bounds[index]!.isReached)
  return {
    unit,
    tool,
    limit,
    not_before,
    estimate,
    reached_on: latest[0]?.measured_on ?? null,
    reached_at: latest.length === 0 ? null : Math.min(...latest.map(({ distance }) => distance)),
    last_open: measurements[openAt]?.id ?? null,
  }
}

/** Returns whether the limit was reached; null if the reading doesn't show it. */
function compare(
  { value, reading }: Measurement,
  limit: number,
  grows: boolean,
): { isReached: boolean | null } {
  const mark = value ?? limit
  const [isPast, isBefore] = grows ? [mark >= limit, mark <= limit] : [mark <= limit, mark >= limit]
  if (reading === null || reading === 'at') return { isReached: isPast }
  const isBeyondMark = (reading === 'over') === grows
  if (isBeyondMark) return { isReached: isPast ? true : null }
  return { isReached: isBefore ? false : null }
}

/** Returns the 90 % range of the distance at which a least-squares line through the values reaches the limit. */
function crossingOf(
  points: readonly { value: number; distance: number }[],
  limit: number,
  grows: boolean,
): { from: number; to: number } | null {
  if (points.length < 2) return null
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [distance, value] = [mean((point) => point.distance), mean((point) => point.value)]
  const spread = mean((point) => (point.distance - distance) ** 2)
  const slope = mean((point) => (point.distance - distance) * (point.value - value)) / spread
  const span =
    Math.max(...points.map((point) => point.distance)) - Math.min(...points.map((point) => point.distance))
  const wear = slope * span * (grows ? 1 : -1)
  // Also rejects NaN, the slope if all distances are equal. Because of rounding errors, a wear of 0.1 may be 0.0999….
  if (!(span >= MIN_METERS && wear >= MIN_WEAR - 1e-9)) return null

  // Two values are always on the line. The scatter of more values may show a larger error.
  const scatter = mean((point) => (point.value - value - slope * (point.distance - distance)) ** 2)
  const variance = Math.max(READING_ERROR ** 2, (scatter * points.length) / (points.length - 2 || 1))
  // Fieller's interval: the distances at which the line is within its own error of the limit.
  const error = (NINE_IN_TEN ** 2 * variance) / points.length
  const ahead = limit - value
  const slopeLeft = slope ** 2 - error / spread
  if (slopeLeft <= 0) return null
  const middle = distance + (slope * ahead) / slopeLeft
  const half = Math.sqrt(error * (slopeLeft + ahead ** 2 / spread)) / slopeLeft
  return { from: middle - half, to: middle + half }
}
