import { MAX_DAYS, MAX_DISTANCE, MAX_HOURS, MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { amountKind, optional, readText, textKind } from '../../lib/field-kinds.ts'
import { numberKind, readTexts } from '../../lib/forms.ts'
import { type Formats, HOURS } from '../../lib/formats.ts'
import type { TaskValues } from './api.ts'

export type TaskForm = Record<'name' | 'distance' | 'hours' | 'days', string> &
  Pick<TaskValues, 'kind' | 'outdoor_only'>

export type Problems = Partial<Record<keyof TaskForm | 'lastDone', string>>

const kindsOf = ({ distance }: Formats) => ({
  name: textKind(MAX_LENGTH.service_tasks.name, 'a name'),
  distance: optional(numberKind({ max: MAX_DISTANCE, ...distance })),
  hours: optional(numberKind({ max: MAX_HOURS, ...HOURS })),
  days: optional(numberKind({ max: MAX_DAYS, isWhole: true })),
})

const limitsOf = (values: Partial<TaskValues>) => ({
  distance: values.every_distance ?? null,
  hours: values.every_moving_time ?? null,
  days: values.every_days ?? null,
})

export function formOf(values: Partial<TaskValues>, formats: Formats): TaskForm {
  const { distance, hours, days } = kindsOf(formats)
  const limits = limitsOf(values)
  return {
    name: values.name ?? '',
    kind: values.kind ?? 'service',
    outdoor_only: values.outdoor_only ?? false,
    distance: distance.format(limits.distance, formats),
    hours: hours.format(limits.hours, formats),
    days: days.format(limits.days, formats),
  }
}

/**
 * Validates the form. A field that still shows `before` keeps its exact value, because kilometers entered earlier aren't
 * a round number of miles.
 */
export function readForm(
  form: TaskForm,
  formats: Formats,
  before: Partial<TaskValues> = {},
): { values: TaskValues; problems: Problems } {
  const { values, problems } = readTexts(kindsOf(formats), form, formats, limitsOf(before))
  const { name, distance, hours, days } = values
  if ([form.distance, form.hours, form.days].every((text) => text.trim() === ''))
    problems.distance = 'Enter at least one limit: distance, hours or days.'
  const limits = { every_distance: distance, every_moving_time: hours, every_days: days }
  const { kind, outdoor_only } = form
  return { values: { name, kind, outdoor_only, ...limits }, problems }
}

const costKind = optional(amountKind)

/** Parses a service's cost, or null if it was free. Unchanged text keeps the exact value of `before`. */
export const readCost = (text: string, formats: Formats, before?: number | null) =>
  readText(costKind, text, formats, before)
