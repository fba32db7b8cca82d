import { readText, type TextKind } from './field-kinds.ts'
import { formatNumber, type Formats, parseNumber } from './formats.ts'

/** Parses a form's texts with `readText`. Returns the values and a message for each invalid field. */
export function readTexts<V extends object>(
  kinds: { [F in keyof V]: TextKind<V[F]> },
  texts: Record<keyof V, string>,
  formats: Formats,
  before: Partial<NoInfer<V>> = {},
): { values: V; problems: Partial<Record<keyof V, string>> } {
  const values: Partial<V> = {}
  const problems: Partial<Record<keyof V, string>> = {}
  for (const field of Object.keys(kinds) as (keyof V)[]) {
    const parsed = readText(kinds[field], texts[field], formats, before[field])
    if ('message' in parsed) problems[field] = parsed.message
    else values[field] = parsed.value
  }
  return { values: values as V, problems }
}

type Conversion = { of: (stored: number) => number; toStored: (shown: number) => number }

type NumberOptions = Partial<Conversion> & { max: number; isWhole?: boolean; hasZero?: boolean }

const same = (value: number) => value

/** Accepts positive numbers, and 0 with `hasZero`. `max` is in the displayed unit. */
export function numberKind(options: NumberOptions): TextKind<number> {
  const { max, isWhole = false, hasZero = false, of = same, toStored = same } = options
  const message = `Enter a number ${hasZero ? 'from 0 to' : 'above 0, up to'} ${formatNumber(max)}.`
  return {
    format: (value) => String(of(value)),
    parse(text) {
      const shown = parseNumber(text.trim()) ?? Number.NaN
      const value = toStored(shown)
      const isValid =
        shown <= max && (hasZero ? shown >= 0 : value > 0) && (!isWhole || Number.isInteger(shown))
      return isValid ? { value } : { message }
    },
  }
}
