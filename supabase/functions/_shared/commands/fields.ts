// Fields of the answers and inputs for other software. Each has a description, which OpenAPI and the tools show.
import * as v from 'valibot'
import { AXES, type Axis } from '../axes.ts'
import { isDay, isLogDay, WRONG_YEAR } from '../formats/days.ts'
import { CodedError, ERRORS } from '../http/errors.ts'
import { halfUp, UNITS } from '../formats/formats.ts'
import { tooLong } from '../limits.ts'

/** How an answer writes distances and costs. */
export interface Units {
  distance: 'mi' | 'km'
  /** An ISO 4217 code. */
  currency: string
}

export const field = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))
export const orNull = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  field(v.nullable(schema), description)
/** An input that may be left out. Null means the same: hosts that make schemas strict send it for what is left out. */
export const optional = <
  Schema extends v.GenericSchema,
  Fallback extends v.InferInput<Schema> | undefined = undefined,
>(
  schema: Schema,
  description: string,
  fallback?: Fallback,
) =>
  field(
    v.nullish(schema, () => fallback as Fallback),
    description,
  )

/** A day as YYYY-MM-DD. `check` also rejects days that don't exist, which JSON Schema can't. */
export const Day = v.pipe(
  v.string(),
  v.isoDate('Enter a day as YYYY-MM-DD.'),
  v.check(isDay, 'This day does not exist.'),
)
/** A day that the caller sends. */
export const GivenDay = v.pipe(Day, v.check(isLogDay, WRONG_YEAR))
export const Id = v.pipe(v.number(), v.safeInteger())
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const Amount = v.number()
/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export const Text = v.pipe(
  v.string(),
  v.check(
    (text) => !text.includes('\0') && text.isWellFormed(),
    'Remove the characters that can’t be stored.',
  ),
)
export const Flag = v.boolean()

export const text = (maxLength: number) => v.pipe(Text, v.maxLength(maxLength, tooLong(maxLength)))
/** A text with a letter, digit or sign. */
export const nonBlank = (maxLength: number) =>
  v.pipe(Text, v.regex(/\S/, 'Enter a text.'), v.maxLength(maxLength, tooLong(maxLength)))

/** A whole period, or with one or no bound. */
export const period = (of: string) => ({
  from: optional(GivenDay, `The first day of ${of}. Default: no limit.`),
  to: optional(GivenDay, `The last day of ${of}. Default: no limit.`),
})

/** Of lists that may be long. */
export const pageInput = {
  limit: optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
    'The length of a page. Default: 100.',
    100,
  ),
  after: optional(Id, 'For the next page: `next` of the page before.'),
}
export const pageAnswer = {
  next: orNull(Id, 'What to send as `after` for the next page. Null: this is the last page.'),
}
export const nextOf = (rows: readonly { id: number }[], hasMore: boolean) =>
  hasMore ? (rows.at(-1)?.id ?? null) : null

/** The parameter that every command takes. */
const unitsInput = {
  units: optional(
    v.picklist(['mi', 'km']),
    'The unit of distances in this request and its answer. Default: the owner’s setting.',
  ),
}

/** The fields of every answer. */
export const unitsAnswer = {
  units: field(v.picklist(['mi', 'km']), 'The unit of all distances in this answer.'),
  currency: field(Text, 'The currency of all costs in this answer, as an ISO 4217 code.'),
}

/** The fields of every answer to a write. */
const changeAnswer = {
  change: orNull(
    Text,
    'The id of the change, for `undo`. Null if nothing had to be changed, for example because a task was already done that day.',
  ),
}

export const inputOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject({ ...entries, ...unitsInput })
export const answerOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject({ ...entries, ...unitsAnswer })
export const writtenOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  answerOf({ ...entries, ...changeAnswer })

/** Throws `unknown_bike` if a command is limited to a bike that isn't there. */
export function requireBike(bikes: Record<string, string>, bike: number | undefined): void {
  if (bike !== undefined && !Object.hasOwn(bikes, bike)) throw new CodedError('unknown_bike')
}

/** Names the field of the body whose id nothing has. In a path, that is a 404. */
export async function named<Result>(name: string, running: Promise<Result>): Promise<Result> {
  return running.catch((error: unknown) => {
    if (!(error instanceof CodedError) || ERRORS[error.code].status !== 404) throw error
    throw new CodedError('invalid_value', { message: `${name}: ${ERRORS[error.code].message}` })
  })
}

/** Creates an input that names the fields to empty, for a command whose fields may be left as they are. */
export const clearInput = <Name extends string>(names: readonly Name[]) => ({
  clear: optional(
    v.array(v.picklist(names, `Send some of ${names.join(', ')}.`)),
    `The fields to empty: some of ${names.join(', ')}. Don’t send these otherwise.`,
    [],
  ),
})

/** Returns whether no field is both sent and emptied. */
export const clearsUnsent = ({ clear, ...sent }: { clear: string[] }) =>
  !clear.some((name) => sent[name as keyof typeof sent] !== undefined)
export const CLEAR_UNSENT = 'clear: Leave out what is also sent.'

/** Returns what was sent, with null for the fields to empty. */
export const withCleared = <Sent extends object>({ clear, ...sent }: Sent & { clear: string[] }) =>
  ({ ...sent, ...Object.fromEntries(clear.map((name) => [name, null])) }) as {
    [Name in keyof Omit<Sent, 'clear'>]: Sent[Name] | null
  }

/** Returns whether an edit has fields to change. */
export const hasEdit = ({ clear, ...sent }: { clear: string[] }) =>
  clear.length > 0 ||
  Object.entries(sent).some(([name, value]) => value !== undefined && name !== 'id' && name !== 'units')

/** Says a list, line by line. */
export const sayList = (lines: readonly string[], none: string) =>
  lines.length > 0 ? lines.join('\n') : none
export const sayChange = ({ change }: { change?: unknown }) =>
  typeof change === 'string'
    ? `Saved. To take this back, undo the change ${change}.`
    : 'Nothing had to be changed.'

/** Removes what only screens need: direction marks, and spaces that don't break. */
export const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll('\u00A0', ' ')

/** Converts meters to the answer's unit, rounded as on the screens. */
export const distanceOf = (meters: number, { distance }: Units) => UNITS[distance].distance.of(meters)
export const metersOf = (amount: number, { distance }: Units) => amount * metersPer(distance)
/** Converts a task's limit or usage to the answer's unit. */
export const amountOf = (axis: Axis, stored: number, { distance }: Units) =>
  halfUp(AXES[axis].entered(UNITS[distance]).exact(stored), 1)
/** Converts a limit to the stored unit. */
export const storedOf = (axis: Axis, limit: number, { distance }: Units) =>
  AXES[axis].entered(UNITS[distance]).toStored(limit)
const metersPer = (unit: Units['distance']) => UNITS[unit].distance.toStored(1)
/** Converts a cost per kilometer to one per unit of the answer. */
export const rateOf = (perKilometer: number, { distance }: Units) =>
  halfUp((perKilometer * metersPer(distance)) / 1000, 4)
export const hoursOf = (seconds: number) => halfUp(seconds / 3600, 1)
export const costOf = (amount: number) => halfUp(amount, 2)
/** Converts a share to whole percent, rounded down, so a task that isn't due yet isn't at 100. */
export const percentOf = (share: number) => Math.floor(halfUp(share * 100, 9))
export const dayOf = (time: string | null) => time && time.slice(0, 10)

/** Applies a conversion unless the value is null. */
export const ifKnown = <Value, Result>(value: Value | null, convert: (value: Value) => Result) =>
  value === null ? null : convert(value)
