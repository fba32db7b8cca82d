import type { Tables } from '../../../supabase/database.types.ts'
import {
  ENTRY_FIELD_NAMES,
  entryField,
  type EntryField,
  fieldsWith,
  isLink,
  type Place,
} from '../../../supabase/functions/_shared/entry-fields.ts'
import type { PartKind, Position } from '../../../supabase/functions/_shared/kinds.ts'
import { addAmounts } from '../../lib/amount.ts'
import { type Day, dayOf } from '../../lib/days.ts'
import {
  costKind,
  dateKind,
  type FieldKind,
  nullable,
  optional,
  type Parsed,
  readText,
  selectKind,
  textKind,
} from '../../lib/field-kinds.ts'
import { type Formats, NEUTRAL_FORMATS } from '../../lib/formats.ts'

export type Item = Omit<Tables<'maintenance'>, 'replaces' | 'position'> & {
  position: Position | null
  /** The kind of its part. Absent from answers about entries only. */
  kind?: PartKind | null
  /** The number of its photos and receipts. Absent like its kind. */
  file_count?: number
  /** The ID that stood for it in this browser until it was saved. */
  waitingId?: number
}

/** Returns the ID under which this browser has known an item from the start, so nothing moves when it gets its own. */
export const knownAs = ({ id, waitingId = id }: Pick<Item, 'id' | 'waitingId'>): number => waitingId

/** A column that the owner can edit. */
export type Field = Exclude<
  keyof Item,
  'id' | 'waitingId' | 'bikeId' | 'part_id' | 'ended_as' | 'position' | 'kind' | 'file_count'
>

export type Values = Pick<Item, Field>

export type Value = Values[Field]

export type FieldDefinition<V> = FieldKind<V> & {
  label: string
  initial?: V | undefined
  clearLabel?: string | undefined
  placeholder?: string | undefined
}

function kindOf(field: EntryField): FieldKind<Value> {
  switch (field.kind) {
    case 'select':
      return optional(selectKind(field.options))
    case 'text': {
      const text = textKind(field.maxLength, undefined, isLink(field))
      // Only its button clears a text.
      return field.initial === null ? nullable(text) : text
    }
    case 'cost':
      return costKind
    default:
      return field.initial === null ? optional(dateKind()) : dateKind()
  }
}

function definitionOf(field: EntryField): FieldDefinition<Value> {
  const { label, initial, clearLabel, placeholder } = field
  return { ...kindOf(field), label, initial, clearLabel, placeholder }
}

export const FIELD_NAMES: readonly Field[] = ENTRY_FIELD_NAMES

/** The kinds of ENTRY_FIELDS, which the editors, drafts and files read and format values with. */
export const FIELDS = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, definitionOf(entryField(name))]),
) as Readonly<Record<Field, FieldDefinition<Value>>>

/** The fields with a column in the table. */
export const COLUMN_NAMES: readonly Field[] = fieldsWith(({ width }) => width)

/** The other fields, which are in the details. */
export const DETAIL_NAMES: readonly Field[] = fieldsWith(({ width }) => !width)

/** The fields, Use Miles, Use Time and Delete. */
export const COLUMN_COUNT = COLUMN_NAMES.length + 3

/** Returns what the log is searched for. */
export const searchedText = (item: Item): string =>
  fieldsWith(({ isSearched }) => isSearched)
    .map((field) => item[field] ?? '')
    .join(' ')

/** Returns an item's texts that are shown somewhere besides the table. */
export function textsIn(place: Place, item: Item): { field: Field; text: string }[] {
  return fieldsWith(({ shownIn }) => shownIn?.includes(place)).flatMap((field) => {
    const text = item[field]
    return typeof text === 'string' ? [{ field, text }] : []
  })
}

type Dates = Pick<Values, 'dateStarted' | 'dateEnded'>

type Reading = { formats: Formats; before?: Value | undefined }

export const parse = (field: Field, text: string, { formats, before }: Reading): Parsed<Value> =>
  readText(FIELDS[field], text, formats, before)

/** Parses a field's text. `initial` is the value of an empty field of a new item. */
export const parseNew = (
  { initial, ...kind }: FieldKind<Value> & { initial?: Value | undefined },
  text: string,
  formats: Formats,
): Parsed<Value> =>
  initial !== undefined && text.trim() === '' ? { value: initial } : kind.parse(text, formats)

/** Returns a message if a date conflicts with the item's other date, else null. */
export function validate(field: Field, value: Value, item: Dates, formats: Formats): string | null {
  if (field === 'dateStarted' && endsBeforeStart({ ...item, dateStarted: String(value) }))
    return `Enter a date on or before the end, ${FIELDS.dateEnded.format(item.dateEnded, formats)}.`
  if (field === 'dateEnded' && value !== null && endsBeforeStart({ ...item, dateEnded: String(value) }))
    return `Enter a date on or after the start, ${FIELDS.dateStarted.format(item.dateStarted, formats)}.`
  return null
}

/** Formats a value to compare it. Doesn't depend on the settings, which may change. */
export const neutralText = (field: Field, value: Value): string =>
  FIELDS[field].format(value, NEUTRAL_FORMATS)

/** Returns whether two values look the same on the screen, such as two times on the same day. */
export function isSame(field: Field, one: Value, other: Value): boolean {
  return neutralText(field, one) === neutralText(field, other)
}

/** Returns whether two versions of an item show the same. */
export function isSameItem(a: Item, b: Item): boolean {
  const fields = ['id', 'ended_as', 'kind', 'position', 'file_count', ...FIELD_NAMES] as const
  return fields.every((field) => a[field] === b[field])
}

export function endsBeforeStart({ dateStarted, dateEnded }: Dates): boolean {
  return dateEnded !== null && compareTimes(dateEnded, dateStarted) < 0
}

/** Returns whether an item is work, not a part: it starts and ends in the same second. */
export function isWork({ dateStarted, dateEnded }: Dates): boolean {
  return dateEnded !== null && compareTimes(dateEnded, dateStarted) === 0
}

/** Returns an item's phase on a day. Work has always ended. */
export function phaseOf(item: Dates, today: Day): 'planned' | 'in-use' | 'ended' {
  if (isWork(item) || (item.dateEnded !== null && dayOf(item.dateEnded) <= today)) return 'ended'
  return dayOf(item.dateStarted) > today ? 'planned' : 'in-use'
}

/** Returns whether an item is in use today or planned. */
export const isInUse = (item: Dates, today: Day): boolean => phaseOf(item, today) !== 'ended'

export const totalCost = (items: readonly Pick<Item, 'cost'>[], formats: Formats) =>
  formats.money(addAmounts(items.map(({ cost }) => cost)))

/** Compares timestamps as text, with `T` or a space between day and time. */
export function compareTimes(one: string, other: string): number {
  const [left, right] = [one.replace('T', ' '), other.replace('T', ' ')]
  return left < right ? -1 : Number(left > right)
}

/** `hint` shows the value that SAVE stores if it differs from the text. */
export type FieldState =
  | { status: 'clean'; hint?: string | null }
  | { status: 'dirty'; value: Value; hint: string | null }
  | { status: 'invalid'; message: string }

export const CLEAN: FieldState = { status: 'clean' }

export function hintOf(state: FieldState): string | null {
  return state.status === 'invalid' ? null : (state.hint ?? null)
}

export function stateOf(field: Field, text: string, item: Dates, reading: Reading): FieldState {
  const { before, formats } = reading
  const parsed = parse(field, text, reading)
  if ('message' in parsed) return { status: 'invalid', message: parsed.message }
  const { value } = parsed
  const hint = FIELDS[field].hint?.(text, value, formats) ?? null
  if (value === before) return hint === null ? CLEAN : { status: 'clean', hint }
  const message = validate(field, value, item, formats)
  return message === null ? { status: 'dirty', value, hint } : { status: 'invalid', message }
}
