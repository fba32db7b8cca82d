import { amountIn } from '../../lib/amount.ts'
import { formatCurrency } from '../../lib/formats.ts'
import type { Draft } from './draft-storage.ts'
import { type Field, isSameValue, textOf, type Value, type Values } from './fields.ts'
import { parse } from './parse.ts'

/** What a field's text means beside its stored value. `hint` tells what SAVE will write where the text does not. */
export type Verdict =
  | { status: 'clean' }
  | { status: 'dirty'; value: Value; hint: string | null }
  | { status: 'invalid'; reason: string }

export function hintOf(verdict: Verdict): string | null {
  return verdict.status === 'dirty' ? verdict.hint : null
}

const CLEAN = { status: 'clean' } as const

/** Whether a record's field was changed, and to what. */
export function judge(field: Field, text: string, stored: Values): Verdict {
  if (text.trim() === textOf(field, stored).trim()) return CLEAN
  // Cents that are stored already, and typed back by hand.
  if (field === 'cost' && amountIn(text) === stored.cost) return CLEAN
  const parsed = parse(field, text, stored)
  if ('reason' in parsed) return { status: 'invalid', reason: parsed.reason }
  if (isSameValue(field, parsed.value, stored[field])) return CLEAN
  return { status: 'dirty', value: parsed.value, hint: hintFor(field, text, parsed.value) }
}

/** The same for a draft, which may also clear a value that typing cannot empty. */
export function judgeDraft(field: Field, draft: Pick<Draft, 'text' | 'isCleared'>, stored: Values): Verdict {
  if (!draft.isCleared) return judge(field, draft.text, stored)
  return stored[field] === null ? CLEAN : { status: 'dirty', value: null, hint: null }
}

/** The same for the new-row line, where an empty field is simply left to its default. */
export function judgeNew(field: Field, text: string, start: string): Verdict {
  if (text === '') return CLEAN
  const parsed = parse(field, text, { dateStarted: start, dateEnded: null })
  if ('reason' in parsed) return { status: 'invalid', reason: parsed.reason }
  return { status: 'dirty', value: parsed.value, hint: hintFor(field, text, parsed.value) }
}

function hintFor(field: Field, text: string, value: Value): string | null {
  if (field !== 'cost' || typeof value !== 'number') return null
  return amountIn(text) === value ? null : `SAVE writes ${formatCurrency(value)}`
}
