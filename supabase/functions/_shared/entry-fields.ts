import { TYPES } from './limits.ts'

type Kind =
  | { kind: 'select'; options: readonly string[] }
  | { kind: 'text'; maxLength: number; isLink?: true }
  | { kind: 'cost' }
  | { kind: 'date' }

/** Where a text may be shown besides its column: in the lines of a narrow screen, in the printed parts list, only with its services. */
export type Place = 'lines' | 'parts list' | 'passport'

export type EntryField = Kind & {
  /** The column header, the editor's name and the CSV header. */
  label: string
  /** The value of a new entry's empty field. Null: the field may be empty. Fields without an initial value are required. */
  initial?: number | null
  placeholder?: string
  /** Adds a button with this name that clears the field. */
  clearLabel?: string
  /** The width of the table's column. A field without a column is shown and edited in the details. */
  width?: string
  shownIn?: readonly Place[]
  /** Whether the log is searched for this text. */
  isSearched?: true
  /** The value that a part's successor gets: the same, the one that its form offers, or none. Without it, the form has no such field. */
  onReplace?: 'same' | 'offered' | 'empty'
  /**
   * Its name for other software, what it is, and what to send if that is more. `none`: what null means. `fallback`: what is stored
   * if it isn't sent.
   */
  api: { name: string; is: string; send?: string; none?: string; fallback?: string }
}

/**
 * The fields of a log entry that the owner edits, in the order of the table's columns. The table, the lines, the editors,
 * drafts, the queries, Replace, CSV files, the API and its tools derive from here. To add a field, create its column in a
 * migration, generate the types, and describe it here.
 */
export const ENTRY_FIELDS = {
  type: {
    kind: 'select',
    options: TYPES,
    label: 'Type',
    initial: null,
    width: '100px',
    onReplace: 'same',
    api: { name: 'type', is: 'The type.', none: 'none' },
  },
  name: {
    kind: 'text',
    maxLength: 1000,
    label: 'Name',
    placeholder: '+ Add New Maintenance',
    // Half of what the others leave, plus the details button.
    width: 'clamp(206px, (100cqi - 850px + 36px) / 2, 34rem)',
    isSearched: true,
    onReplace: 'same',
    api: {
      name: 'name',
      is: 'The name.',
      send: 'The name, such as "Schwalbe One 28, rear". It says what kind of part this is, and at which end.',
    },
  },
  description: {
    kind: 'text',
    maxLength: 10_000,
    label: 'Description',
    initial: null,
    clearLabel: 'Clear description',
    width: 'auto',
    shownIn: ['lines', 'parts list', 'passport'],
    isSearched: true,
    // It is about the old part.
    onReplace: 'empty',
    api: { name: 'description', is: 'The description.', none: 'none' },
  },
  cost: {
    kind: 'cost',
    label: 'Cost',
    initial: 0,
    width: '250px',
    onReplace: 'offered',
    api: { name: 'cost', is: 'The cost, in `currency`.', send: 'The cost, in the owner’s currency.' },
  },
  dateStarted: {
    kind: 'date',
    label: 'Start',
    placeholder: 'Today',
    width: '126px',
    api: {
      name: 'started_on',
      is: 'The day on which the part was installed, or the work was done.',
      fallback: 'today',
    },
  },
  dateEnded: {
    kind: 'date',
    label: 'End',
    initial: null,
    clearLabel: 'Clear End',
    width: '126px',
    api: {
      name: 'ended_on',
      is: 'The day on which the part was removed.',
      send: 'The day on which the part was removed, or `started_on` for work.',
      none: 'in use',
    },
  },
  link: {
    kind: 'text',
    maxLength: 2000,
    isLink: true,
    label: 'Link',
    initial: null,
    clearLabel: 'Clear link',
    shownIn: ['lines', 'passport'],
    isSearched: true,
    onReplace: 'empty',
    api: { name: 'link', is: 'A link to a shop, a receipt or a manual.', none: 'none' },
  },
} as const satisfies Record<string, EntryField>

export type EntryFields = typeof ENTRY_FIELDS
export type EntryFieldName = keyof EntryFields

/** Returns whether a field's text is shown as a link. */
export const isLink = (field: EntryField): boolean => field.kind === 'text' && field.isLink === true

export type TextField = Extract<EntryField, { kind: 'text' }>

/** A field's stored value. */
export type ValueOf<Field extends EntryField> =
  | (Field extends { kind: 'cost' } ? number : string)
  | (Field extends { initial: null } ? null : never)

export const ENTRY_FIELD_NAMES = Object.keys(ENTRY_FIELDS) as EntryFieldName[]

export const entryField = (name: EntryFieldName): EntryField => ENTRY_FIELDS[name]

/** Returns the fields that have something. */
export const fieldsWith = (has: (field: EntryField) => unknown): EntryFieldName[] =>
  ENTRY_FIELD_NAMES.filter((name) => has(entryField(name)))

/** The fields of a replacement, besides the day. */
export type SuccessorField = {
  [Name in EntryFieldName]: EntryFields[Name] extends { onReplace: string } ? Name : never
}[EntryFieldName]

export const SUCCESSOR_FIELDS = fieldsWith(({ onReplace }) => onReplace) as SuccessorField[]
