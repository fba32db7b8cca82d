import { ChangedElsewhere } from './errors.ts'
import { type Parsed, readText, type TextKind } from './field-kinds.ts'
import { formatNumber, type Formats, parseNumber, readingsOf } from './formats.ts'

/** How an input shows a value and how the value is read from it: a `TextKind` for text, a `choiceKind` for others. */
type Kind<Input> = {
  format(this: void, value: unknown, formats: Formats): Input
  parse(this: void, input: unknown, formats: Formats): Parsed<unknown>
}

/** The fields of a form, by name. */
export type Kinds = Record<string, Kind<unknown>>
export type Inputs<K extends Kinds> = {
  [Field in keyof K]: K[Field] extends Kind<infer Input> ? Input : never
}
export type ValuesOf<K extends Kinds> = {
  [Field in keyof K]: ReturnType<K[Field]['parse']> extends Parsed<infer V> ? V : never
}
export type Problems<K extends Kinds> = { [Field in keyof K]?: string }

/** A field whose input holds its value, such as a list of ticked choices. */
export const choiceKind = <V>() => ({
  format: (value: V): V => value,
  parse: (value: V): Parsed<V> => ({ value }),
})

/** Returns the inputs that show `values`. Other fields show what `inputs` says, or else empty text. */
export function formatInputs<K extends Kinds>(
  kinds: K,
  values: Partial<ValuesOf<K>>,
  formats: Formats,
  inputs: Partial<Inputs<K>> = {},
): Inputs<K> {
  const formatted = Object.entries(kinds).map(([name, kind]) => [
    name,
    name in values ? kind.format(values[name], formats) : name in inputs ? inputs[name] : '',
  ])
  return Object.fromEntries(formatted) as Inputs<K>
}

/** Reads a form's inputs, texts with `readText`. Returns the values of valid fields and a message for each invalid one. */
export function readInputs<K extends Kinds>(
  kinds: K,
  inputs: Inputs<K>,
  formats: Formats,
  before: Partial<ValuesOf<K>> = {},
): { values: Partial<ValuesOf<K>>; problems: Problems<K> } {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const input: unknown = inputs[name]
    const parsed =
      typeof input === 'string'
        ? readText(kind as TextKind<unknown>, input, formats, before[name])
        : kind.parse(input, formats)
    if ('message' in parsed) problems[name] = parsed.message
    else values[name] = parsed.value
  }
  return { values, problems } as { values: Partial<ValuesOf<K>>; problems: Problems<K> }
}

/** Returns the values that differ from the shown ones. Fields without a shown value aren't compared. */
export const wantedOf = <Row extends object>(values: Partial<Row>, shown: Row) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name in shown && value !== shown[name as keyof Row]),
  ) as Partial<Row>

/** Returns what a form shows after it failed to save `wanted`: with the stored values, if they were changed elsewhere. */
export function shownAfter<Row extends object>(cause: unknown, shown: Row, wanted: Partial<Row>): Row {
  if (!(cause instanceof ChangedElsewhere)) return shown
  const { stored } = cause
  return { ...shown, ...Object.fromEntries(Object.keys(wanted).map((name) => [name, stored[name]])) }
}

type Conversion = { of: (stored: number) => number; toStored: (shown: number) => number }

type NumberOptions = Partial<Conversion> & { max: number; isWhole?: boolean; hasZero?: boolean }

const same = (value: number) => value

/** Returns the message for a number with two readings: `1.500 can mean 1.5 or 1,500. Enter 1.5 or 1500.` */
function enterOneOf(entry: string, [decimal, grouped]: readonly [number, number]): string {
  // Four decimals can't be a group.
  const exact = entry.endsWith('0') ? decimal : `${entry}0`
  return `${entry} can mean ${decimal} or ${formatNumber(grouped)}. Enter ${exact} or ${grouped}.`
}

/** Accepts positive numbers, and 0 with `hasZero`. `max` is in the displayed unit. */
export function numberKind(options: NumberOptions): TextKind<number> {
  const { max, isWhole = false, hasZero = false, of = same, toStored = same } = options
  const message = `Enter a number ${hasZero ? 'from 0 to' : 'above 0, up to'} ${formatNumber(max)}.`
  return {
    format: (value) => String(of(value)),
    parse(text) {
      const both = readingsOf(text.trim())
      if (both && both[1] > 0 && both[1] <= max) return { message: enterOneOf(text.trim(), both) }
      const shown = parseNumber(text.trim()) ?? Number.NaN
      const value = toStored(shown)
      const isValid =
        shown <= max && (hasZero ? shown >= 0 : value > 0) && (!isWhole || Number.isInteger(shown))
      return isValid ? { value } : { message }
    },
  }
}
