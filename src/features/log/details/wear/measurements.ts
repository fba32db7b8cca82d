import { MAX_LENGTH, MAX_WEAR, READINGS } from '../../../../../supabase/functions/_shared/limits.ts'
import { isShrinking } from '../../../../../supabase/functions/_shared/units.ts'
import { type Day } from '../../../../lib/days.ts'
import { optional, pastDayKind, textKind } from '../../../../lib/field-kinds.ts'
import { numberKind, readTexts } from '../../../../lib/forms.ts'
import { formatCount, type Formats } from '../../../../lib/formats.ts'
import { type Measurement, type MeasurementValues, type Wear, type WearSeries } from './api.ts'

/** Formats a measured value or a gauge's reading: `0.35`, `under 0.5`. */
export const formatReading = ({ value, reading }: Pick<Measurement, 'value' | 'reading'>): string =>
  [reading, value].filter((word) => word !== null).join(' ')

/** Suggests when to check a part that is likely to reach its wear limit. Never says that the part is due. */
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
  if (not_before !== null && not_before > 0)
    return `Still ${isShrinking(unit) ? 'above' : 'below'} ${limit} at ${formats.distance.formatWhole(not_before)}.`
  return `Add two exact readings at least ${formats.distance.formatWhole(least_distance)} apart to get an estimate.`
}

export type MeasurementForm = Record<'day' | 'value' | 'reading' | 'unit' | 'tool' | 'limit' | 'note', string>

export type Problems = Partial<Record<keyof MeasurementForm, string>>

/** Suggested units. The owner may enter any other. */
export const UNITS = ['chain %', 'cassette mm', 'pad mm', 'rotor mm', 'tread mm']

const text = (value: string | number | null | undefined) => String(value ?? '')

/** Fills the form with a measurement. A new form only gets the latest measurement's unit, tool and limit. */
export function formOf(
  latest: Measurement | undefined,
  unit: string | null,
  today: Day,
  isNew: boolean,
  formats: Formats,
): MeasurementForm {
  return {
    day: formats.day(isNew || !latest ? today : latest.measured_on),
    value: isNew ? '' : text(latest?.value),
    reading: isNew ? '' : text(latest?.reading),
    unit: latest?.unit ?? unit ?? '',
    tool: latest?.tool ?? '',
    limit: text(latest?.limit),
    note: isNew ? '' : text(latest?.note),
  }
}

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

export function readForm(
  form: MeasurementForm,
  today: Day,
  formats: Formats,
): { values: MeasurementValues; problems: Problems } {
  const kinds = {
    day: pastDayKind(today),
    value: amountKind,
    limit: amountKind,
    unit: textKind(MAX_LENGTH.wear_measurements.unit, 'a unit'),
  }
  const { values, problems } = readTexts(kinds, form, formats)
  const reading = READINGS.find((reading) => reading === form.reading) ?? null
  if (values.value === null && reading === null)
    problems.value = 'Enter a value, or choose what the gauge says.'
  const { day: measured_on, ...rest } = values
  const texts = { tool: form.tool.trim(), note: form.note.trim() || null }
  return { values: { ...rest, ...texts, measured_on, reading }, problems }
}
