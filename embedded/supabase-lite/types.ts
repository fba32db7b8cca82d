import type { PostgresType } from 'postgres'
import { POSTGREST_TYPES } from '../postgres/connect.ts'

type Parse = (text: string) => unknown

/** Returns a number that JSON.stringify writes as given. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(this: void, text: string): object }

// JSON has no NaN and no infinity, so PostgreSQL writes them as text.
const floatOf: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : text)
// JavaScript keeps 15 digits of any number.
const numberOf: Parse = (text) => (text.length <= 15 || !/\d/.test(text) ? floatOf(text) : rawJson(text))

/** Writes a value that `numberOf` read, for example in a row's key. */
const numberToText = (value: unknown) =>
  typeof value === 'object' && value !== null && 'rawJSON' in value ? String(value.rawJSON) : String(value)

const type = (oid: number, parse: Parse, serialize = String as (value: unknown) => string): PostgresType => ({
  to: oid,
  from: [oid],
  parse,
  serialize,
})

// TypeScript doesn't know the third argument.
const keepLong = (_: string, value: unknown, context?: { source: string }) =>
  typeof value === 'number' ? numberOf(context!.source) : value
const json: Parse = (text) => (/\d{16}/.test(text) ? JSON.parse(text, keepLong) : JSON.parse(text))

const boolean: Parse = (text) => text === 't'
const timestamptz: Parse = (text) => text.replace(' ', 'T').replace(/([+-]\d\d)(?=$| BC)/, '$1:00')
const timestamp: Parse = (text) => text.replace(' ', 'T')

// The driver reads NULL in a list as text.
const LISTS: [number, Parse][] = [
  [1000, boolean],
  [1001, String],
  [1005, Number],
  [1007, Number],
  [1016, numberOf],
  [1231, numberOf],
  [1021, floatOf],
  [1022, floatOf],
  [1009, String],
  [1014, String],
  [1015, String],
  [2951, String],
  [1182, String],
  [1183, String],
  [1115, timestamp],
  [1185, timestamptz],
  [199, json],
  [3807, json],
]

/** Types of the data API. Each value is answered as PostgreSQL's JSON functions write it. */
export const TYPES = {
  ...POSTGREST_TYPES,
  bigint: type(20, numberOf, numberToText),
  numeric: type(1700, numberOf, numberToText),
  real: type(700, floatOf),
  double: type(701, floatOf),
  timestamptz: type(1184, timestamptz),
  boolean: type(16, boolean),
  bytea: type(17, String),
  json: { ...POSTGREST_TYPES.json, parse: json },
  jsonb: { ...POSTGREST_TYPES.jsonb, parse: json },
  ...Object.fromEntries(
    LISTS.map(([oid, parse]) => [`list${oid}`, type(oid, (text) => listOf(text, parse))]),
  ),
}

const ELEMENT = /[{}]|"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs

/** Reads PostgreSQL's text for a list. */
function listOf(text: string, parse: Parse): unknown {
  const open: unknown[][] = [[]]
  // A list that doesn't begin with 1 begins with its bounds.
  for (const [mark, quoted, plain] of text.replace(/^[^{]*/, '').matchAll(ELEMENT)) {
    if (mark === '{') open.push([])
    else if (mark === '}') {
      const list = open.pop()!
      open.at(-1)!.push(list)
    } else if (plain === 'NULL') open.at(-1)!.push(null)
    else open.at(-1)!.push(parse(plain ?? quoted!.replace(/\\(.)/gs, '$1')))
  }
  return open[0]![0]
}
