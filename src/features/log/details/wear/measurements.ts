import { MAX_LENGTH, MAX_WEAR, READINGS } from '../../../../../supabase/functions/_shared/limits.ts'
import { CHECKS } from '../../../../../supabase/functions/_shared/database-errors.ts'
import { isShrinking } from '../../../../../supabase/functions/_shared/parts/wear-units.ts'
import { type Day, dayOf } from '../../../../lib/days.ts'
import { optional, pastDayKind, selectKind, type TextKind, textKind } from '../../../../lib/field-kinds.ts'
import { numberKind } from '../../../../lib/forms.ts'
import { formatCount, type Formats } from '../../../../lib/formats.ts'
import { type Measurement, type MeasurementValues, type Wear, type WearSeries } from './api.ts'

/** Formats a measured value or a gauge's reading: `0.35`, `under 0.5`. */
export const formatReading = ({ value, reading }: Pick<Measurement, 'value' | 'reading'>): string =>
  [reading, value].filter((word) => word !== null).join(' ')

/** Suggests when to check a part that is likely to reach its wear limit, or says that a reading shows it. */
export function estimateMessage(
  series: WearSeries,
  { distance, least_distance }: Pick<Wear, 'distance' | 'least_distance'>,
  formats: Formats,
): string {
  const { unit, estimate, limit, likely, not_before } = series
  if (limit === null) return 'Enter a limit to get an estimate.'
  if (estimate && (estimate.kind === 'bracket' || estimate.to <= distance)) {
    const [from, to] = [estimate.from, estimate.to].map((meters) =>
      formatCount(formats.distance.exact(meters)),
    )
    const was = estimate.kind === 'line' ? 'was likely' : 'was'
    return `Check it: ${limit} ${was} reached between ${from} and ${to}\u00A0${formats.distance.unit}.`
  }
  if (estimate) {
    const by = `${limit} is likely reached by ${formats.distance.formatWhole(estimate.to)}.`
    if (estimate.from <= distance) return `Check it: ${by}`
    const day = likely === null ? '' : ` (about ${formats.day(likely)})`
    return `Check it from ${formats.distance.formatWhole(estimate.from)}${day}: ${by}`
  }
  if (series.reached_on !== null)
    return `At its limit of ${limit} since ${formats.day(dayOf(series.reached_on))}.`
  const still =
    not_before !== null &&
    not_before > 0 &&
    `Still ${isShrinking(unit) ? 'above' : 'below'} ${limit} at ${formats.distance.formatWhole(not_before)}.`
  const hint = readingHint(series, least_distance, formats)
  return (
    [still, hint].filter(Boolean).join(' ') || 'The readings are too close or too different for an estimate.'
  )
}

/** Says which readings are missing for an estimate. Null if they are there, but contradict each other or hardly differ. */
function readingHint({ measurements }: WearSeries, least_distance: number, formats: Formats): string | null {
  const least = formats.distance.formatWhole(least_distance)
  const exact = measurements.flatMap(({ reading, distance }) =>
    reading === null || reading === 'at' ? [distance] : [],
  )
  if (exact.length === 0) return `Add two exact readings at least ${least} apart to get an estimate.`
  if (Math.max(...exact) - Math.min(...exact) >= least_distance) return null
  return `Add another exact reading at least ${least} after the first one to get an estimate.`
}

/** Suggested units. The owner may enter any other. */
export const UNITS = ['chain %', 'cassette mm', 'pad mm', 'rotor mm', 'tread mm']

const number = numberKind({ max: MAX_WEAR, hasZero: true })

/** Accepts a trailing unit and a decimal comma, because some riders type them. */
const amountKind = optional({
  ...number,
  parse: (text, formats) =>
    number.parse(
      text
        .trim()
        .replace(/\s*(%|mm)$/, '')
        .replace(',', '.'),
      formats,
    ),
})

/** A measurement's fields, by column. */
export const measurementFields = (today: Day) => ({
  measured_on: pastDayKind(today),
  value: amountKind,
  reading: optional(selectKind(READINGS)),
  unit: textKind(MAX_LENGTH.wear_measurements.unit, 'a unit'),
  tool: orEmpty(textKind(MAX_LENGTH.wear_measurements.tool)),
  limit: amountKind,
  note: optional(textKind(MAX_LENGTH.wear_measurements.note)),
})

const orEmpty = (kind: TextKind<string>): TextKind<string> => ({
  ...kind,
  parse: (text, formats) => (text.trim() === '' ? { value: '' } : kind.parse(text, formats)),
})

export function checkMeasurement({ value, reading }: Partial<MeasurementValues>) {
  return value === null && reading === null ? { value: CHECKS.wear_measurements_value_or_reading_check } : {}
}

/** Returns what a new measurement starts with: the latest one's unit, tool and limit. */
export const newInputs = (latest: Measurement | undefined, unit: string | null, day: string) => ({
  measured_on: day,
  unit: latest?.unit ?? unit ?? '',
  tool: latest?.tool ?? '',
  limit: String(latest?.limit ?? ''),
})
