// Fields of the answers and inputs for other software. Each has a description, which OpenAPI and the tools show.
import * as v from 'valibot'
import { Id as AnyId } from '../contracts/fields.ts'
import { UNITS } from '../formats.ts'
import type { Units } from './command.ts'

/** Describes a field. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

/** A day as YYYY-MM-DD. `check` also rejects days that don't exist, which JSON Schema can't. */
export const Day = v.pipe(
  v.string(),
  v.isoDate('Enter a day as YYYY-MM-DD.'),
  v.check((day) => new Date(day).getUTCDate() === Number(day.slice(8)), 'This day does not exist.'),
)
export const Id = v.pipe(v.number(), v.safeInteger())
export const Amount = v.number()
export const Text = v.string()
export const Flag = v.boolean()
export const OrNull = v.nullable

/** The parameter that every command takes. */
export const unitsInput = {
  units: v.optional(
    described(
      v.picklist(['mi', 'km']),
      'The unit of distances in this request and its answer. Default: the owner’s setting.',
    ),
  ),
}

/** What every answer names. */
export const unitsAnswer = {
  units: described(v.picklist(['mi', 'km']), 'The unit of all distances in this answer.'),
  currency: described(Text, 'The currency of all costs in this answer, as an ISO 4217 code.'),
}
export const unitsOf = ({ distance, currency }: Units) => ({ units: distance, currency })

/** What every answer to a write contains. */
export const changeAnswer = {
  change: described(
    OrNull(Text),
    'The id of the change, for `undo`. Null if nothing had to be changed, for example because a task was already done that day.',
  ),
}

/** Says a list, line by line. */
export const sayList = (lines: readonly string[], none: string) =>
  lines.length > 0 ? lines.join('\n') : none
export const sayChange = ({ change }: { change: string | null }) =>
  change === null ? 'Nothing had to be changed.' : `Saved. To take this back, undo the change ${change}.`

/** The result of an SQL function that writes. */
export const Written = v.looseObject({ change: v.nullable(v.string()) })

export const AnyRowId = AnyId

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/** Converts meters to the answer's unit, rounded as on the screens. */
export const distanceOf = (meters: number, { distance }: Units) => UNITS[distance].distance.of(meters)
export const metersOf = (amount: number, { distance }: Units) => amount * metersPer(distance)
const metersPer = (unit: Units['distance']) => UNITS[unit].distance.toStored(1)
/** Converts a cost per kilometer to one per unit of the answer. */
export const rateOf = (perKilometer: number, { distance }: Units) =>
  rounded((perKilometer * metersPer(distance)) / 1000, 4)
export const hoursOf = (seconds: number) => rounded(seconds / 3600, 1)
export const costOf = (amount: number) => rounded(amount, 2)
export const dayOf = (time: string | null) => time && time.slice(0, 10)

/** Applies a conversion unless the value is null. */
export const ifKnown = <Value, Result>(value: Value | null, convert: (value: Value) => Result) =>
  value === null ? null : convert(value)
