import { dayOf, formatDay } from '../../lib/days.ts'
import { formatCurrency } from '../../lib/formats.ts'
import type { Item } from './api.ts'

/** The types of an item, in the order of the list. */
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

/** The columns that the owner edits. */
export const FIELDS = ['type', 'name', 'description', 'cost', 'dateStarted', 'dateEnded'] as const

export type Field = (typeof FIELDS)[number]

/** What of an item the owner can edit. */
export type Values = Pick<Item, Field>

export type Value = Values[Field]

export const LABELS = {
  type: 'Type',
  name: 'Name',
  description: 'Description',
  cost: 'Cost',
  dateStarted: 'Start',
  dateEnded: 'End',
} as const satisfies Record<Field, string>

/** The text that an editor shows for a stored value. */
export function textOf(field: Field, values: Values): string {
  if (field === 'cost') return formatCurrency(values.cost)
  const value = values[field]
  if (value === null) return ''
  return field === 'dateStarted' || field === 'dateEnded' ? formatDay(dayOf(value)) : value
}

/** Dates are the same when their days are: the owner neither sees nor changes the hour. */
export function isSameValue(field: Field, a: Value, b: Value): boolean {
  const isDate = field === 'dateStarted' || field === 'dateEnded'
  if (isDate && typeof a === 'string' && typeof b === 'string') return dayOf(a) === dayOf(b)
  return a === b
}
