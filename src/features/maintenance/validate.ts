import type { Draft } from './drafts.ts'
import { type Field, FIELDS, parseEntry, type Value, type Values } from './fields.ts'

/** A field's text compared with its stored value. `hint` says what SAVE stores if that differs from the text. */
export type FieldState =
  | { status: 'clean' }
  | { status: 'dirty'; value: Value; hint: string | null }
  | { status: 'invalid'; message: string }

const CLEAN = { status: 'clean' } as const

export function hintOf(state: FieldState): string | null {
  return state.status === 'dirty' ? state.hint : null
}

/** Validates a field of a stored item. */
export function validateField(field: Field, text: string, stored: Values): FieldState {
  const { format, isStoredAs, isSame } = FIELDS[field]
  const before = stored[field]
  if (text.trim() === format(before).trim() || isStoredAs?.(text, before)) return CLEAN
  const state = validateText(field, text, stored)
  return state.status === 'dirty' && isSame(state.value, before) ? CLEAN : state
}

/** Validates a draft, which can also clear a value that can't be emptied by typing. */
export function validateDraft(
  field: Field,
  draft: Pick<Draft, 'text' | 'isCleared'>,
  stored: Values,
): FieldState {
  if (!draft.isCleared) return validateField(field, draft.text, stored)
  return stored[field] === null ? CLEAN : { status: 'dirty', value: null, hint: null }
}

/** Validates a field of the new row, where an empty field gets its default. */
export function validateNewField(field: Field, text: string, start: string): FieldState {
  return text === '' ? CLEAN : validateText(field, text, { dateStarted: start, dateEnded: null })
}

function validateText(
  field: Field,
  text: string,
  dates: Pick<Values, 'dateStarted' | 'dateEnded'>,
): FieldState {
  const parsed = parseEntry(field, text, dates)
  if ('message' in parsed) return { status: 'invalid', message: parsed.message }
  const { value } = parsed
  return { status: 'dirty', value, hint: FIELDS[field].hint?.(text, value) ?? null }
}
