import { tooLong } from '../../supabase/functions/_shared/limits.ts'
import { LINK, siteOf } from '../../supabase/functions/_shared/formats/links.ts'
import type { CsvValue } from './csv.ts'
import { type Day, dayOf, isFinal, isLogDay, timestampOf, withoutTime, WRONG_YEAR } from './days.ts'
import type { Formats } from './formats.ts'

/** A parsed value, or the message to show if the text is invalid. */
export type Parsed<V> = { value: V } | { message: string }

export const problemOf = (parsed: Parsed<unknown>): string | undefined =>
  'message' in parsed ? parsed.message : undefined

export type TextKind<V> = {
  format(this: void, value: V, formats: Formats): string
  parse(this: void, text: string, formats: Formats): Parsed<V>
  /** Returns whether the text means the stored value, even if `parse` would round or reject it. */
  isStoredAs?(this: void, text: string, stored: V, formats: Formats): boolean
  /** Returns a note if the value to save differs from the typed text. */
  hint?(this: void, text: string, value: V, formats: Formats): string | null
}

export type FieldKind<V> = TextKind<V> & {
  editor: 'select' | 'text' | 'cost' | 'date'
  options?: readonly string[]
  /** Converts a value for a CSV file. By default, the value is written unchanged. */
  toCsv?(this: void, value: V & {}): CsvValue
  /** Parses a CSV cell. Defaults to `parse`. */
  fromCsv?(this: void, cell: string, formats: Formats): Parsed<V>
}

/** Parses text. If it still means the initial value `before`, returns exactly that value, unrounded. */
export function readText<V>(kind: TextKind<V>, text: string, formats: Formats, before?: V): Parsed<V> {
  const { format, parse, isStoredAs } = kind
  if (before === undefined) return parse(text, formats)
  const stored = format(before, formats)
  if (text.trim() === stored.trim() || isStoredAs?.(text, before, formats)) return { value: before }
  const parsed = parse(text, formats)
  return 'value' in parsed && format(parsed.value, formats) === stored ? { value: before } : parsed
}

/** Extends a kind with null, shown as empty text. */
export function nullable<V>(kind: FieldKind<V>): FieldKind<V | null>
export function nullable<V>(kind: TextKind<V>): TextKind<V | null>
export function nullable<V>(kind: TextKind<V>): TextKind<V | null> {
  return {
    ...kind,
    format: (value, formats) => (value === null ? '' : kind.format(value, formats)),
    isStoredAs: (text, stored, formats) =>
      stored !== null && (kind.isStoredAs?.(text, stored, formats) ?? false),
    hint: (text, value, formats) => (value === null ? null : (kind.hint?.(text, value, formats) ?? null)),
  }
}

/** Extends a kind with null, shown as and parsed from empty text. */
export function optional<V>(kind: FieldKind<V>): FieldKind<V | null>
export function optional<V>(kind: TextKind<V>): TextKind<V | null>
export function optional<V>(kind: TextKind<V>): TextKind<V | null> {
  return {
    ...nullable(kind),
    parse: (text, formats) => (text.trim() === '' ? { value: null } : kind.parse(text, formats)),
  }
}

export function selectKind<Option extends string>(options: readonly Option[]): FieldKind<Option> {
  return {
    editor: 'select',
    options,
    format: (value) => value,
    parse(text) {
      const entry = text.trim().toLowerCase()
      const value = options.find((option) => option.toLowerCase() === entry)
      return value === undefined ? { message: 'Choose one from the list.' } : { value }
    },
  }
}

/** Accepts nonempty text. `noun` completes the message `Enter …`. */
export function textKind(maxLength: number, noun = 'a value', isLink = false): FieldKind<string> {
  return {
    editor: 'text',
    format: (value) => value,
    parse(text) {
      const value = text.trim()
      if (value === '') return { message: `Enter ${noun}.` }
      // Array.from counts an emoji as one character, as PostgreSQL does.
      const isTooLong = value.length > maxLength && Array.from(value).length > maxLength
      if (isTooLong) return { message: tooLong(maxLength) }
      return isLink && siteOf(value) === null ? { message: LINK.message } : { value }
    },
    isStoredAs: (text, stored) => unifyLines(text) === unifyLines(stored),
  }
}

/** Normalizes line breaks, which spreadsheets may change within a cell. */
export function unifyLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim()
}

const MAX_COST = 9_999_999

export const amountKind: TextKind<number> = {
  format: (value, { money }) => money(value),
  parse(text, { parseAmount, wholeMoney }) {
    if (text.trim() === '') return { message: 'Enter a value.' }
    const value = parseAmount(text)
    if (value === null) return { message: 'Enter an amount such as 45 or 1,234.' }
    return Math.abs(Math.trunc(value)) > MAX_COST
      ? { message: `Enter at most ${wholeMoney(MAX_COST)}.` }
      : { value }
  },
  isStoredAs: (text, stored, { parseAmount }) => parseAmount(text) === stored,
}

/** The editor saves whole amounts; only imports store cents. */
export const costKind: FieldKind<number> = {
  ...amountKind,
  editor: 'cost',
  parse(text, formats) {
    if (text.trim() !== '' && !/\p{Number}/u.test(text)) return { value: 0 }
    const parsed = amountKind.parse(text, formats)
    // "+ 0" turns -0 into 0.
    return 'value' in parsed ? { value: Math.trunc(parsed.value) + 0 } : parsed
  },
  fromCsv: amountKind.parse,
  hint: (text, value, { parseAmount, money }) =>
    parseAmount(text) === value ? null : `Saves as ${money(value)}`,
}

export const enterADate = ({ settings }: Formats) => `Enter a date as ${settings.dates}.`

export const dayKind: TextKind<Day> = {
  format: (value, formats) => formats.day(value),
  parse(text, formats) {
    const day = formats.parseDay(text)
    if (day === null) return { message: enterADate(formats) }
    return isLogDay(day) ? { value: day } : { message: WRONG_YEAR }
  },
}

/** Accepts days up to today. `since` is an event, and the earliest valid day is the event's or, with `isAfter`, the next one. */
export function pastDayKind(
  today: Day,
  since?: { day: Day; what: string; isAfter?: boolean },
): TextKind<Day> {
  return {
    ...dayKind,
    parse(text, formats) {
      const parsed = dayKind.parse(text, formats)
      if ('message' in parsed) return parsed
      if (parsed.value > today) return { message: 'Enter today or an earlier date.' }
      if (!since || parsed.value > since.day || (parsed.value === since.day && !since.isAfter)) return parsed
      const after = since.isAfter ? 'after' : 'on or after'
      return { message: `Enter a date ${after} ${formats.day(since.day)}, when it was ${since.what}.` }
    },
  }
}

/** Stores a day as a timestamp. Only the day is shown, compared and exported. */
export function dateKind(kind = dayKind): FieldKind<string> {
  return {
    editor: 'date',
    format: (value, formats) => kind.format(dayOf(value), formats),
    parse(text, formats) {
      const parsed = kind.parse(withoutTime(text), formats)
      return 'value' in parsed ? { value: timestampOf(parsed.value) } : parsed
    },
    hint: (text, value, formats) =>
      isFinal(withoutTime(text)) ? null : `Saves as ${formats.day(dayOf(value))}`,
    toCsv: dayOf,
  }
}
