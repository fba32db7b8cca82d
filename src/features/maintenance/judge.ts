import { amountIn } from '../../lib/amount.ts'
import { dayOf } from '../../lib/days.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { type Field, textOf, type Value, type Values } from './fields.ts'
import { parse } from './parse.ts'

/** What a field's text means beside its stored value. `hint` tells what SAVE will write where the text does not. */
export type Verdict =
  | { status: 'clean' }
  | { status: 'dirty'; value: Value; hint: string | null }
  | { status: 'invalid'; reason: string }

const CLEAN = { status: 'clean' } as const

/** Whether a record's field was changed, and to what. */
export function judge(field: Field, text: string, stored: Values): Verdict {
  if (text.trim() === textOf(field, stored).trim()) return CLEAN
  // Cents that are stored already, and typed back by hand.
  if (field === 'cost' && amountIn(text) === stored.cost) return CLEAN
  const parsed = parse(field, text, stored)
  if ('reason' in parsed) return { status: 'invalid', reason: parsed.reason }
  if (isSame(field, parsed.value, stored[field])) return CLEAN
  return { status: 'dirty', value: parsed.value, hint: hintFor(field, text, parsed.value) }
}

/** The same for the new-row line, where an empty field is simply left to its default. */
export function judgeNew(field: Field, text: string, start: string): Verdict {
  if (text === '') return CLEAN
  const parsed = parse(field, text, { dateStarted: start, dateEnded: null })
  if ('reason' in parsed) return { status: 'invalid', reason: parsed.reason }
  return { status: 'dirty', value: parsed.value, hint: hintFor(field, text, parsed.value) }
}

/** Dates are the same when their days are: the hour is not the owner's to see or change. */
function isSame(field: Field, value: Value, stored: Value): boolean {
  const isDate = field === 'dateStarted' || field === 'dateEnded'
  if (isDate && typeof value === 'string' && typeof stored === 'string') return dayOf(value) === dayOf(stored)
  return value === stored
}

function hintFor(field: Field, text: string, value: Value): string | null {
  if (field !== 'cost' || typeof value !== 'number') return null
  return amountIn(text) === value ? null : `SAVE writes ${formatCurrency(value)}`
}
