import type { Field } from '../items/fields.ts'

/** The order of the editors on a card: the long texts come first, on lines of their own. */
export const CARD_FIELDS: readonly Field[] = [
  'name',
  'description',
  'type',
  'cost',
  'dateStarted',
  'dateEnded',
]
