// The fields of a log entry as other software reads and sends them.
import * as v from 'valibot'
import type { Item } from '../contracts/data-api.ts'
import {
  ENTRY_FIELD_NAMES,
  entryField,
  type EntryField,
  type EntryFieldName,
  type EntryFields,
  fieldsWith,
  SUCCESSOR_FIELDS,
  type SuccessorField,
  type TextField,
  type ValueOf,
} from '../entry-fields.ts'
import { LINK, siteOf } from '../formats/links.ts'
import {
  Amount,
  costOf,
  Day,
  dayOf,
  field,
  GivenDay,
  nonBlank,
  optional,
  orNull,
  Text,
  text,
} from './fields.ts'

type ApiName<Name extends EntryFieldName> = EntryFields[Name]['api']['name']

/** By the names that other software uses. */
type Values = {
  [Name in EntryFieldName as ApiName<Name>]: ValueOf<EntryFields[Name]>
}

const namesOf = (names: readonly EntryFieldName[]) =>
  names.map((name) => entryField(name).api.name as keyof Values)

function entriesOf(names: readonly EntryFieldName[], schemaOf: (field: EntryField) => v.GenericSchema) {
  return Object.fromEntries(names.map((name) => [entryField(name).api.name, schemaOf(entryField(name))]))
}

function readSchema(of: EntryField): v.GenericSchema {
  switch (of.kind) {
    case 'select':
      return v.picklist(of.options)
    case 'text':
      return Text
    case 'cost':
      return Amount
    default:
      return Day
  }
}

/** In the answers. */
export const entryAnswer = entriesOf(ENTRY_FIELD_NAMES, (of) => {
  const { is, none } = of.api
  return none === undefined ? field(readSchema(of), is) : orNull(readSchema(of), `${is} Null: ${none}.`)
}) as { [Name in keyof Values]: v.GenericSchema<Values[Name]> }

function textSchema({ initial, maxLength, isLink }: TextField) {
  if (!isLink) return initial === null ? text(maxLength) : nonBlank(maxLength)
  return v.pipe(
    text(maxLength),
    v.regex(LINK.pattern, LINK.message),
    v.check((link) => siteOf(link) !== null, LINK.message),
  )
}

function givenSchema(of: EntryField): v.GenericSchema {
  switch (of.kind) {
    case 'select':
      return v.picklist(of.options)
    case 'text':
      return textSchema(of)
    case 'cost':
      return v.pipe(v.number(), v.minValue(-1e9), v.maxValue(1e9))
    default:
      return GivenDay
  }
}

const sendText = ({ api }: EntryField) => api.send ?? api.is

const optionalField = (of: EntryField, fallback?: string) =>
  optional(givenSchema(of), [sendText(of), ...(fallback ? [`Default: ${fallback}.`] : [])].join(' '))

type Given = { [Name in keyof Values]: v.GenericSchema<unknown, NonNullable<Values[Name]> | undefined> }

/** For a new entry. */
export const newEntryInput = entriesOf(ENTRY_FIELD_NAMES, (of) =>
  of.initial === undefined && of.api.fallback === undefined
    ? field(givenSchema(of), sendText(of))
    : optionalField(of, of.api.fallback ?? of.api.none),
) as Given

/** For an edit: what isn't sent stays. */
export const entryInput = entriesOf(ENTRY_FIELD_NAMES, (of) => optionalField(of)) as Given

/** The fields that an edit can empty. */
export const CLEARABLE = namesOf(fieldsWith(({ api }) => api.none))

const SUCCESSOR = { same: 'the old part’s', offered: '0', empty: 'none' }

/** For a part's successor. */
export const successorInput = entriesOf(SUCCESSOR_FIELDS, (of) =>
  optionalField(of, SUCCESSOR[of.onReplace!]),
) as Pick<Given, ApiName<SuccessorField>>

/** The fields that a part's successor doesn't have to take over. */
export const CLEARABLE_OF_SUCCESSOR = CLEARABLE.filter((name) => name in successorInput)

/** The log stores days as 01:00. */
const startOf = (day: string | null | undefined) => day && `${day}T01:00:00`

/** Returns the values that were sent, as stored. */
export function storedValues(sent: { [Name in keyof Values]?: Values[Name] | null | undefined }): Record<
  string,
  unknown
> {
  const entries = ENTRY_FIELD_NAMES.map((name) => {
    const { kind, api } = entryField(name)
    const value = sent[api.name as keyof Values]
    return [name, kind === 'date' ? startOf(value as string | null | undefined) : value] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns stored values as other software reads them. */
export function answeredValues(item: Pick<Item, EntryFieldName>): Values {
  const entries = ENTRY_FIELD_NAMES.map((name) => {
    const { kind, api } = entryField(name)
    const value = item[name]
    if (kind === 'date') return [api.name, dayOf(value as string | null)]
    return [api.name, kind === 'cost' ? costOf(value as number) : value]
  })
  return Object.fromEntries(entries) as Values
}
