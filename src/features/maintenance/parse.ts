import { amountIn } from '../../lib/amount.ts'
import { type Day, dayOf, formatDay, parseDay, timestampOf } from '../../lib/days.ts'
import { type Field, TYPES, type Value, type Values } from './fields.ts'

/** What an entry stands for, or why it stands for nothing. */
export type Parsed = { value: Value } | { reason: string }

const LIMITS = { name: 1000, description: 10_000 }
const HIGHEST_COST = 9_999_999

/** Reads what was typed into a field; the other values are those that it has to agree with. */
export function parse(field: Field, text: string, others: Pick<Values, 'dateStarted' | 'dateEnded'>): Parsed {
  switch (field) {
    case 'type':
      return parseType(text)
    case 'cost':
      return parseCost(text)
    case 'dateStarted':
      return parseStart(text, others.dateEnded)
    case 'dateEnded':
      return parseEnd(text, others.dateStarted)
    default:
      return parseText(field, text)
  }
}

function parseType(text: string): Parsed {
  if (text === '') return { value: null }
  return TYPES.some((type) => type === text) ? { value: text } : { reason: 'Choose one from the list.' }
}

function parseText(field: 'name' | 'description', text: string): Parsed {
  const value = text.trim()
  if (value === '') return { reason: 'Enter a value.' }
  const limit = LIMITS[field]
  // Counted as PostgreSQL counts: an emoji is one character.
  const isTooLong = value.length > limit && Array.from(value).length > limit
  return isTooLong ? { reason: `Use at most ${limit.toLocaleString('en-US')} characters.` } : { value }
}

/** An amount to the cent. */
export function parseAmount(text: string): Parsed {
  if (text.trim() === '') return { reason: 'Enter a value.' }
  const value = amountIn(text)
  if (value === null) return { reason: 'Enter an amount such as 45 or 1,234.50.' }
  return Math.abs(Math.trunc(value)) > HIGHEST_COST ? { reason: 'Enter at most $9,999,999.' } : { value }
}

/** Whole dollars: cents are cut off, and text without digits is 0. */
function parseCost(text: string): Parsed {
  if (text.trim() !== '' && !/\p{Number}/u.test(text)) return { value: 0 }
  const parsed = parseAmount(text)
  // "+ 0" turns -0 into 0.
  return 'value' in parsed ? { value: Math.trunc(Number(parsed.value)) + 0 } : parsed
}

function parseStart(text: string, end: string | null): Parsed {
  const parsed = parseCalendarDay(text)
  if ('reason' in parsed || end === null || plain(timestampOf(parsed.day)) <= plain(end))
    return written(parsed)
  return { reason: `Enter a date on or before the end, ${formatDay(dayOf(end))}.` }
}

function parseEnd(text: string, start: string): Parsed {
  if (text.trim() === '') return { value: null }
  const parsed = parseCalendarDay(text)
  if ('reason' in parsed || plain(timestampOf(parsed.day)) >= plain(start)) return written(parsed)
  return { reason: `Enter a date on or after the start, ${formatDay(dayOf(start))}.` }
}

type ParsedDay = { day: Day } | { reason: string }

function parseCalendarDay(text: string): ParsedDay {
  const day = parseDay(text)
  if (day === null) return { reason: 'Enter a date as MM/DD/YYYY.' }
  return day < '1900-01-01' || day > '2100-12-31' ? { reason: 'Enter a year from 1900 to 2100.' } : { day }
}

function written(parsed: ParsedDay): Parsed {
  return 'day' in parsed ? { value: timestampOf(parsed.day) } : parsed
}

/** Timestamps are compared as text, once both are written alike. */
function plain(timestamp: string): string {
  return timestamp.replace('T', ' ').slice(0, 19)
}
