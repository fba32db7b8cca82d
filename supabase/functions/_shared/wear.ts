import { connectAs } from './auth.ts'
import type { Project } from './environment.ts'

/** What the SQL function `part_wear` returns. */
export interface Measurement {
  id: number
  /** YYYY-MM-DD. */
  measured_on: string
  /** The exact value; with a reading, the mark of the gauge. Null: the mark is the limit. */
  value: number | null
  reading: 'under' | 'at' | 'over' | null
  unit: string
  tool: string
  limit: number | null
  note: string | null
  /** Meters of the part on that day. */
  distance: number
}

export interface PartWear {
  gear_id: number
  is_installed: boolean
  /** Meters of the part until now. */
  distance: number
  measurements: Measurement[]
}

/** What row-level security shows; null for an unknown part. */
export type ReadWear = (token: string, partId: number) => Promise<PartWear | null>

export function createReadWear(project: Project): ReadWear {
  return async (token, partId) => {
    const { data, error } = await connectAs(project, token).rpc('part_wear', { part_id: partId })
    if (error) throw error
    return data as unknown as PartWear | null
  }
}

/** Where the limit is reached, in meters of the part. From a straight line, both are the same. */
export interface Estimate {
  kind: 'line' | 'bracket'
  from: number
  to: number
}

/** The measurements in one unit with one tool. Tools disagree, so they are never mixed. */
export interface WearSeries {
  unit: string
  tool: string
  limit: number | null
  /** The limit wasn't reached yet at this distance. Null: unknown. */
  not_before: number | null
  estimate: Estimate | null
  measurements: Measurement[]
}

/**
 * The limits that count if the owner enters none. Park Tool: replace the chain of 11 and 12 speeds at 0.5 %, of up to 10
 * speeds at 0.75 %. The stricter one, because the log doesn't know the speeds and a worn chain wears the cassette. Pads,
 * rotors and treads have none: the minimum is stamped on the rotor or stated by the manufacturer.
 */
const USUAL_LIMITS: Record<string, number> = { 'chain %': 0.5 }

/** These get thinner. */
const SHRINKING = new Set(['pad mm', 'rotor mm', 'tread mm'])

// Less is within the error of hand tools.
const LEAST_METERS = 300 * 1609.344
const LEAST_WEAR = 0.1

/** The measurements by unit and tool, with an estimate where they allow one. */
export function wearSeriesOf(measurements: readonly Measurement[]): WearSeries[] {
  const keyOf = ({ unit, tool }: Measurement) => `${wordsOf(unit)}\n${wordsOf(tool)}`
  return [...Map.groupBy(measurements, keyOf).values()].map(seriesOf)
}

const wordsOf = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

function seriesOf(measurements: Measurement[]): WearSeries {
  const { unit, tool } = measurements.at(-1)!
  const limit =
    measurements.findLast((one) => one.limit !== null)?.limit ?? USUAL_LIMITS[wordsOf(unit)] ?? null
  if (limit === null) return { unit, tool, limit, not_before: null, estimate: null, measurements }

  const exact = measurements.flatMap(({ value, reading, distance }) => {
    const exactValue = reading === null ? value : reading === 'at' ? (value ?? limit) : null
    return exactValue === null ? [] : { value: exactValue, distance }
  })
  const first = exact[0]?.value
  const grows = !SHRINKING.has(wordsOf(unit)) && (first === undefined || first <= limit)
  const bounds = measurements.map((one) => ({ distance: one.distance, ...compare(one, limit, grows) }))
  const distances = (isReached: boolean) =>
    bounds.filter((one) => one.isReached === isReached).map(({ distance }) => distance)
  const [open, reached] = [distances(false), distances(true)]
  const not_before = open.length === 0 ? null : Math.max(...open)
  const by = reached.length === 0 ? null : Math.min(...reached)
  const isIn = (distance: number) => distance >= (not_before ?? 0) && distance <= (by ?? Infinity)
  const crossing = crossingOf(exact, limit, grows)
  let estimate: Estimate | null = null
  if (crossing !== null && isIn(crossing)) estimate = { kind: 'line', from: crossing, to: crossing }
  // Later readings that contradict earlier ones say nothing.
  else if (by !== null && not_before !== null && not_before <= by)
    estimate = { kind: 'bracket', from: not_before, to: by }
  return { unit, tool, limit, not_before, estimate, measurements }
}

/** Whether the limit was reached. Null: the reading doesn't say. */
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

/** Where the straight line through the values, by least squares, reaches the limit. */
function crossingOf(
  points: readonly { value: number; distance: number }[],
  limit: number,
  grows: boolean,
): number | null {
  if (points.length < 2) return null
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [distance, value] = [mean((point) => point.distance), mean((point) => point.value)]
  const slope =
    mean((point) => (point.distance - distance) * (point.value - value)) /
    mean((point) => (point.distance - distance) ** 2)
  const span =
    Math.max(...points.map((point) => point.distance)) - Math.min(...points.map((point) => point.distance))
  const wear = slope * span * (grows ? 1 : -1)
  // Also refuses NaN, the slope of values at a single distance. Values have few digits, so the wear of 0.1 may be 0.0999….
  if (!(span >= LEAST_METERS && wear >= LEAST_WEAR - 1e-9)) return null
  const crossing = distance + (limit - value) / slope
  return crossing > 0 ? crossing : null
}
