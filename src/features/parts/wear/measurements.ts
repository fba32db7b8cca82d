import { type Day, dayOf, formatDay } from '../../../lib/days.ts'
import { optional, pastDayKind, textKind } from '../../../lib/field-kinds.ts'
import { numberKind, readTexts } from '../../../lib/forms.ts'
import { formatCount } from '../../../lib/formats.ts'
import type { Units } from '../../../lib/units.ts'
import {
  type Measurement,
  type MeasurementValues,
  READINGS,
  type StoredMeasurement,
  type Wear,
  type WearSeries,
} from './api.ts'

/** `2,401 mi` */
const miles = (meters: number, units: Units) =>
  `${formatCount(units.distance.of(meters))}\u00A0${units.distance.unit}`

/** What a measurement says: `0.35`, or `under 0.5`. */
export const readingWords = ({ value, reading }: Pick<StoredMeasurement, 'value' | 'reading'>): string =>
  [reading, value].filter((word) => word !== null).join(' ')

/** A measurement: `under 0.5 chain %, Park CC-4, 03/01/2026`. */
export const measurementWords = (stored: StoredMeasurement): string =>
  [`${readingWords(stored)} ${stored.unit}`, stored.tool, formatDay(dayOf(stored.measured_on))]
    .filter((word) => word !== '')
    .join(', ')

/** When the limit is likely reached, as a suggestion to check. Never says that a part is due. */
export function estimateWords(
  series: WearSeries,
  { distance, least_distance }: Pick<Wear, 'distance' | 'least_distance'>,
  units: Units,
): string {
  const { estimate, limit, likely, not_before } = series
  if (limit === null) return 'Enter a limit to get an estimate.'
  if (estimate && (estimate.kind === 'bracket' || estimate.to <= distance)) {
    const [from, to] = [estimate.from, estimate.to].map((meters) => formatCount(units.distance.of(meters)))
    const was = estimate.kind === 'line' ? 'was likely' : 'was'
    return `Check it: ${limit} ${was} reached between ${from} and ${to}\u00A0${units.distance.unit}.`
  }
  if (estimate) {
    const by = `${limit} is likely reached by ${miles(estimate.to, units)}.`
    if (estimate.from <= distance) return `Check it: ${by}`
    const day = likely === null ? '' : ` (about ${formatDay(likely)})`
    return `Check it from ${miles(estimate.from, units)}${day}: ${by}`
  }
  if (not_before !== null && not_before > 0) return `Not at ${limit} yet at ${miles(not_before, units)}.`
  return `Two exact values at least ${miles(least_distance, units)} apart give an estimate.`
}

/** What is typed into the form. */
export type MeasurementForm = Record<'day' | 'value' | 'reading' | 'unit' | 'tool' | 'limit' | 'note', string>

export type Problems = Partial<Record<keyof MeasurementForm, string>>

/** The units with a meaning. Any other word is one, too. */
export const UNITS = ['chain %', 'cassette mm', 'pad mm', 'rotor mm', 'tread mm']

const text = (value: string | number | null | undefined) => String(value ?? '')

/** The form of a measurement; of a new one, with what the latest had in common. */
export function formOf(
  latest: Measurement | undefined,
  unit: string | null,
  today: Day,
  isNew: boolean,
): MeasurementForm {
  return {
    day: formatDay(isNew || !latest ? today : latest.measured_on),
    value: isNew ? '' : text(latest?.value),
    reading: isNew ? '' : text(latest?.reading),
    unit: latest?.unit ?? unit ?? '',
    tool: latest?.tool ?? '',
    limit: text(latest?.limit),
    note: isNew ? '' : text(latest?.note),
  }
}

const number = numberKind({ most: 1000, hasZero: true })

/** Some riders type the unit, or a decimal comma. */
const amountKind = optional({
  ...number,
  parse: (text) =>
    number.parse(
      text
        .trim()
        .replace(/\s*(%|mm)$/, '')
        .replace(',', '.'),
    ),
})

/** Validates the form. */
export function readForm(
  form: MeasurementForm,
  today: Day,
): { values: MeasurementValues; problems: Problems } {
  const kinds = {
    day: pastDayKind(today),
    value: amountKind,
    limit: amountKind,
    unit: textKind(40, 'a unit'),
  }
  const { values, problems } = readTexts(kinds, form)
  const reading = READINGS.find((reading) => reading === form.reading) ?? null
  if (values.value === null && reading === null)
    problems.value = 'Enter a value, or choose what the gauge says.'
  const { day: measured_on, ...rest } = values
  const texts = { tool: form.tool.trim(), note: form.note.trim() || null }
  return { values: { ...rest, ...texts, measured_on, reading }, problems }
}
