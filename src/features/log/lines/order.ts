import { type Field, FIELDS } from '../../entries/fields.ts'

/** Puts the name first and the other texts, which need a whole line, last. So a calendar has room below its field. */
export const inDialogOrder = (fields: readonly Field[]): Field[] =>
  fields.toSorted((a, b) => placeOf(a) - placeOf(b))

const placeOf = (field: Field) => (field === 'name' ? 0 : FIELDS[field].editor === 'text' ? 2 : 1)
