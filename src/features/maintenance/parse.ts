import { type Day, dayOf, formatDay, parseDay, timestampOf } from '../../lib/days.ts'
import { type Field, LABELS, TYPES, type Value, type Values } from './fields.ts'

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
  return TYPES.some((type) => type === text) ? { value: text } : { reason: 'Not one of the list.' }
}

function parseText(field: 'name' | 'description', text: string): Parsed {
  const value = text.trim()
  if (value === '') return { reason: `${LABELS[field]} cannot be empty.` }
  const limit = LIMITS[field]
  // Counted as PostgreSQL counts: an emoji is one character.
  const isTooLong = value.length > limit && Array.from(value).length > limit
  return isTooLong ? { reason: `At most ${limit.toLocaleString('en-US')} characters.` } : { value }
}

/** Whole dollars: what follows the point is cut off, and what is no number is 0. */
function parseCost(text: string): Parsed {
  if (text.trim() === '') return { reason: 'Cost cannot be empty.' }
  // "+ 0" makes the -0 of an entry such as -0.5 a plain 0.
  const value = Math.trunc(numberIn(text) ?? 0) + 0
  return Math.abs(value) > HIGHEST_COST ? { reason: 'At most $9,999,999.' } : { value }
}

/** The number that an amount of dollars is written as, cents included; null where it is none. */
export function numberIn(text: string): number | null {
  const entry = text.replaceAll(/[$,\s]/g, '')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(entry) ? Number(entry) : null
}

function parseStart(text: string, end: string | null): Parsed {
  if (text.trim() === '') return { reason: 'A start is needed.' }
  const parsed = parseCalendarDay(text)
  if ('reason' in parsed || end === null || plain(timestampOf(parsed.day)) <= plain(end))
    return written(parsed)
  return { reason: `After its end, ${formatDay(dayOf(end))}.` }
}

function parseEnd(text: string, start: string): Parsed {
  if (text.trim() === '') return { value: null }
  const parsed = parseCalendarDay(text)
  if ('reason' in parsed || plain(timestampOf(parsed.day)) >= plain(start)) return written(parsed)
  return { reason: `Before its start, ${formatDay(dayOf(start))}.` }
}

type ParsedDay = { day: Day } | { reason: string }

function parseCalendarDay(text: string): ParsedDay {
  const day = parseDay(text)
  if (day === null) return { reason: 'Not a day, MM/DD/YYYY.' }
  return day < '1900-01-01' || day > '2100-12-31' ? { reason: 'Years 1900 to 2100.' } : { day }
}

function written(parsed: ParsedDay): Parsed {
  return 'day' in parsed ? { value: timestampOf(parsed.day) } : parsed
}

/** Timestamps are compared as text, once both are written alike. */
function plain(timestamp: string): string {
  return timestamp.replace('T', ' ').slice(0, 19)
}
