import { parseAmount } from '../../lib/amount.ts'
import type { Units } from '../../lib/units.ts'
import type { TaskValues } from './api.ts'

/** The text fields of the form for a task. */
export type TaskForm = Record<'name' | 'distance' | 'hours' | 'days', string> &
  Pick<TaskValues, 'kind' | 'outdoor_only'>

export type Problems = Partial<Record<keyof TaskForm | 'lastDone', string>>

/** The greatest amounts of a limit, in the unit of its field. They catch typing errors; the database has them, too. */
const MAX_LIMITS = { distance: 100_000, hours: 10_000, days: 3650 } as const

const SECONDS_PER_HOUR = 3600

/** The form with the values of a task. */
export function formOf(values: Partial<TaskValues>, units: Units): TaskForm {
  const { every_distance, every_moving_time, every_days } = values
  return {
    name: values.name ?? '',
    kind: values.kind ?? 'service',
    outdoor_only: values.outdoor_only ?? false,
    distance: every_distance ? String(units.distance.of(every_distance)) : '',
    hours: every_moving_time ? String(Math.round((every_moving_time / SECONDS_PER_HOUR) * 100) / 100) : '',
    days: every_days ? String(every_days) : '',
  }
}

/**
 * Validates the form. A field that still shows `before` keeps its exact value: kilometers entered earlier are no round
 * number of miles.
 */
export function readForm(
  form: TaskForm,
  units: Units,
  before: Partial<TaskValues> = {},
): { values: TaskValues; problems: Problems } {
  const problems: Problems = {}
  const shown = formOf(before, units)
  const read = (
    field: keyof typeof MAX_LIMITS,
    stored: number | null | undefined,
    convert: (n: number) => number,
  ) => {
    const text = form[field].trim().replaceAll(',', '')
    if (text === '') return null
    if (form[field] === shown[field]) return stored ?? null
    const number = Number(text)
    const isValid = Number.isFinite(number) && number > 0 && convert(number) > 0
    if (!isValid || (field === 'days' && !Number.isInteger(number)))
      problems[field] = 'Enter a number above 0.'
    else if (number > MAX_LIMITS[field])
      problems[field] = `Enter at most ${MAX_LIMITS[field].toLocaleString('en-US')}.`
    return convert(number)
  }
  const values = {
    name: form.name.trim(),
    kind: form.kind,
    outdoor_only: form.outdoor_only,
    every_distance: read('distance', before.every_distance, units.distance.toStored),
    every_moving_time: read('hours', before.every_moving_time, (n) => Math.round(n * SECONDS_PER_HOUR)),
    every_days: read('days', before.every_days, (n) => n),
  }
  if (values.name === '') problems.name = 'Enter a name.'
  else if (values.name.length > 200) problems.name = 'Enter a name of up to 200 characters.'
  const hasLimit = values.every_distance ?? values.every_moving_time ?? values.every_days
  if (hasLimit === null) problems.distance = 'Enter at least one limit: distance, hours or days.'
  return { values, problems }
}

/** Reads what a service cost, in dollars. Null: free. Undefined if the text isn't an amount. */
export function readCost(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const dollars = parseAmount(text)
  return dollars === null || Math.abs(dollars) >= 1e9 ? undefined : dollars
}
