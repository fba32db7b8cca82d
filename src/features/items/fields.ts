import type { Tables } from '../../../supabase/database.types.ts'
import { type Day, dayOf, formatDay } from '../../lib/days.ts'
import {
  costKind,
  dateKind,
  type FieldKind,
  nullable,
  optional,
  type Parsed,
  selectKind,
  textKind,
} from './field-kinds.ts'

/** An item of a bike's maintenance log. */
export type Item = Omit<Tables<'maintenance'>, 'request_key'>

/** A column that the owner edits. */
export type Field = Exclude<keyof Item, 'id' | 'bikeId' | 'part_id' | 'ended_as'>

export type Values = Pick<Item, Field>

export type Value = Values[Field]

type FieldDefinition<V> = FieldKind<V> & {
  /** The column header, the editor's name and the CSV header. */
  label: string
  /** What an empty field of a new item means. Fields without it are required. */
  initial?: V
  /** Adds a button with this name that clears the field. */
  clearLabel?: string
  /** The placeholder in the new row. */
  placeholder?: string
}

export const TYPES = [
  'Frame',
  'Wheels',
  'Pedals',
  'Tires',
  'Drivetrain',
  'Brakes',
  'Handlebar',
  'Saddle',
] as const

/**
 * The columns of the log, in their order. The table, the editors, drafts, the new row, the queries, and CSV export and
 * import are all derived from here. To add a column, create it in a migration, generate the types, and describe it here.
 */
export const FIELDS: Readonly<Record<Field, FieldDefinition<Value>>> = {
  type: { ...optional(selectKind(TYPES)), label: 'Type', initial: null },
  name: { ...textKind(1000), label: 'Name', placeholder: '+ Add New Maintenance' },
  description: {
    ...nullable(textKind(10_000)),
    label: 'Description',
    initial: null,
    clearLabel: 'Clear description',
  },
  cost: { ...costKind(), label: 'Cost', initial: 0 },
  dateStarted: { ...dateKind(), label: 'Start', placeholder: 'Today' },
  dateEnded: { ...optional(dateKind()), label: 'End', initial: null, clearLabel: 'Clear End' },
} satisfies { [F in Field]: FieldDefinition<Item[F]> }

export const FIELD_NAMES = Object.keys(FIELDS) as Field[]

/** Why an item ended. The first is the default of Replace. */
export const END_REASONS = ['worn', 'damaged', 'stored', 'moved', 'sold'] as const

/** The fields in CSV files: the columns of the log, and why an item ended. */
export const CSV_FIELDS = {
  ...FIELDS,
  ended_as: { ...optional(selectKind(END_REASONS)), label: 'Ended as', initial: null },
} as Readonly<Record<CsvField, FieldDefinition<Value>>>

export type CsvField = Field | 'ended_as'

export type CsvValues = Pick<Item, CsvField>

export const CSV_FIELD_NAMES = Object.keys(CSV_FIELDS) as CsvField[]

/** The CSV columns that identify an item, its bike and its part. */
export const KEY_HEADERS = { id: 'ID', bikeId: 'Bike ID', bike: 'Bike', part: 'Part' } as const

type Dates = Pick<Values, 'dateStarted' | 'dateEnded'>

/** Reads what was typed into a field. A date must also agree with the item's other date. */
export function parseEntry(field: Field, text: string, { dateStarted, dateEnded }: Dates): Parsed<Value> {
  const parsed = FIELDS[field].parse(text)
  if (!('value' in parsed) || typeof parsed.value !== 'string') return parsed
  if (field === 'dateStarted' && endsBeforeStart({ dateStarted: parsed.value, dateEnded }))
    return { message: `Enter a date on or before the end, ${formatDay(dayOf(dateEnded ?? ''))}.` }
  if (field === 'dateEnded' && endsBeforeStart({ dateStarted, dateEnded: parsed.value }))
    return { message: `Enter a date on or after the start, ${formatDay(dayOf(dateStarted))}.` }
  return parsed
}

export function endsBeforeStart({ dateStarted, dateEnded }: Dates): boolean {
  return dateEnded !== null && compareTimes(dateEnded, dateStarted) < 0
}

/** Whether an item is work, which starts and ends at the same second, and not a part. */
export function isWork({ dateStarted, dateEnded }: Dates): boolean {
  return dateEnded !== null && compareTimes(dateEnded, dateStarted) === 0
}

/** Whether an item is in use today. Work never is. */
export function isInUse(item: Dates, today: Day): boolean {
  return item.dateEnded === null || (dayOf(item.dateEnded) > today && !isWork(item))
}

/** Compares timestamps as text, with either separator between day and time. */
export function compareTimes(one: string, other: string): number {
  const [left, right] = [one.replace('T', ' '), other.replace('T', ' ')]
  return left < right ? -1 : Number(left > right)
}

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
  draft: { text: string; isCleared?: boolean | undefined },
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
