import { parseAmount } from '../../lib/amount.ts'
import type { CsvValue } from '../../lib/csv.ts'
import { type Day, dayOf, formatDay, parseDay, timestampOf } from '../../lib/days.ts'
import { formatCurrency } from '../../lib/formats.ts'

/** The value that a text stands for, or the message to show if it can't be used. */
export type Parsed<V> = { value: V } | { message: string }

/** How fields of one kind are edited, shown, compared and converted. */
export type FieldKind<V> = {
  editor: 'select' | 'text' | 'cost' | 'date'
  options?: readonly string[]
  /** The text that the editor shows for a stored value. */
  format(this: void, value: V): string
  /** Reads what was typed into the editor. */
  parse(this: void, text: string): Parsed<V>
  isSame(this: void, a: V, b: V): boolean
  /** Whether the text stands for the stored value, even if `parse` would round or refuse it. */
  isStoredAs?(this: void, text: string, stored: V): boolean
  /** Says what is saved if that differs from what was typed. */
  hint?(this: void, text: string, value: V): string | null
  toCsv(this: void, value: V): CsvValue
  fromCsv(this: void, cell: string): Parsed<V>
}

/** Lets a field be null, which is shown as empty. */
export function nullable<V>(kind: FieldKind<V>): FieldKind<V | null> {
  return {
    ...kind,
    format: (value) => (value === null ? '' : kind.format(value)),
    isSame: (a, b) => a === b || (a !== null && b !== null && kind.isSame(a, b)),
    isStoredAs: (text, stored) => stored !== null && (kind.isStoredAs?.(text, stored) ?? false),
    hint: (text, value) => (value === null ? null : (kind.hint?.(text, value) ?? null)),
    toCsv: (value) => (value === null ? null : kind.toCsv(value)),
  }
}

/** Also makes it null when its text is emptied. */
export function optional<V>(kind: FieldKind<V>): FieldKind<V | null> {
  return {
    ...nullable(kind),
    parse: (text) => (text.trim() === '' ? { value: null } : kind.parse(text)),
    fromCsv: (cell) => (cell.trim() === '' ? { value: null } : kind.fromCsv(cell)),
  }
}

export function selectKind(options: readonly string[]): FieldKind<string> {
  const parse = (text: string) =>
    options.includes(text) ? { value: text } : { message: 'Choose one from the list.' }
  return {
    editor: 'select',
    options,
    format: (value) => value,
    parse,
    isSame: (a, b) => a === b,
    toCsv: (value) => value,
    fromCsv(cell) {
      const text = cell.trim()
      return parse(options.find((option) => option.toLowerCase() === text.toLowerCase()) ?? text)
    },
  }
}

export function textKind(maxLength: number): FieldKind<string> {
  const parse = (text: string) => {
    const value = text.trim()
    if (value === '') return { message: 'Enter a value.' }
    // Array.from counts an emoji as one character, as PostgreSQL does.
    const isTooLong = value.length > maxLength && Array.from(value).length > maxLength
    return isTooLong ? { message: `Use at most ${maxLength.toLocaleString('en-US')} characters.` } : { value }
  }
  return {
    editor: 'text',
    format: (value) => value,
    parse,
    isSame: (a, b) => a === b,
    toCsv: (value) => value,
    fromCsv: parse,
  }
}

const MAX_COST = 9_999_999

/** Dollars. The editor saves whole dollars; only imports store cents. */
export function costKind(): FieldKind<number> {
  return {
    editor: 'cost',
    format: formatCurrency,
    parse(text) {
      if (text.trim() !== '' && !/\p{Number}/u.test(text)) return { value: 0 }
      const parsed = parseDollars(text)
      // "+ 0" turns -0 into 0.
      return 'value' in parsed ? { value: Math.trunc(parsed.value) + 0 } : parsed
    },
    isSame: (a, b) => a === b,
    isStoredAs: (text, stored) => parseAmount(text) === stored,
    hint: (text, value) => (parseAmount(text) === value ? null : `Saves as ${formatCurrency(value)}`),
    toCsv: (value) => value,
    fromCsv: parseDollars,
  }
}

function parseDollars(text: string): Parsed<number> {
  if (text.trim() === '') return { message: 'Enter a value.' }
  const value = parseAmount(text)
  if (value === null) return { message: 'Enter an amount such as 45 or 1,234.50.' }
  return Math.abs(Math.trunc(value)) > MAX_COST ? { message: 'Enter at most $9,999,999.' } : { value }
}

/** A day, stored as a timestamp. Only the day is shown, compared and exported. */
export function dateKind(): FieldKind<string> {
  return {
    editor: 'date',
    format: (value) => formatDay(dayOf(value)),
    parse: parseTypedDay,
    isSame: (a, b) => dayOf(a) === dayOf(b),
    toCsv: dayOf,
    fromCsv: (cell) => parseTypedDay(typedDay(cell)),
  }
}

function parseTypedDay(text: string): Parsed<string> {
  const day = parseDay(text)
  if (day === null) return { message: 'Enter a date as MM/DD/YYYY.' }
  if (day < '1900-01-01' || day > '2100-12-31') return { message: 'Enter a year from 1900 to 2100.' }
  return { value: timestampOf(day) }
}

/** A day as the editor accepts it, without the time of day that a spreadsheet may have added. */
function typedDay(cell: string): string {
  const day = cell.trim().replace(/[T ]\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?$/i, '')
  return /^\d{4}-\d\d-\d\d$/.test(day) ? formatDay(day as Day) : day
}
