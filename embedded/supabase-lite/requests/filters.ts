import type { AnyAST } from '@supabase/lite'
import type { Reader } from './reader.ts'
import { onlyHosted, Refusal } from './refusal.ts'
import { checkColumn, type Table } from './schema.ts'

export type Where = NonNullable<AnyAST['where']>

/** The scope of a filter: a table, and the names of the tables embedded in it. */
export interface Filtered {
  table: Table
  /** The prefix that tells the table's columns from those of others in its query. */
  prefix: string
  embeds: ReadonlyMap<string, unknown>
}

// Supabase Lite's operators. All take the value as text, so PostgreSQL reads it by the column's type.
const OPERATORS: Record<string, string> = {
  eq: '$eq',
  neq: '$neq',
  gt: '$gt',
  gte: '$gte',
  lt: '$lt',
  lte: '$lte',
  like: '$like',
  ilike: '$ilike',
  match: '$regex',
  imatch: '$iregex',
  isdistinct: '$isDistinct',
  cs: '$contains',
  cd: '$containedBy',
  ov: '$overlaps',
  sl: '$rangeLt',
  sr: '$rangeGt',
  nxl: '$rangeGte',
  nxr: '$rangeLte',
  adj: '$rangeAdjacent',
}
const QUANTIFIABLE = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'])
const ON_PATHS = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])
const SEARCHES: Record<string, string | undefined> = { plfts: 'plain', phfts: 'phrase', wfts: 'websearch' }
const IS: Record<string, Where> = {
  null: { $is: null },
  not_null: { $isNot: null },
  true: { $is: true },
  false: { $is: false },
  unknown: { $is: Symbol.for('postgrest:unknown') },
}

const KEY = /-?\d+(?!\w)|[A-Za-z_]\w*/.source
/** A column's name and JSON path. */
export const FIELD = new RegExp(`([A-Za-z_]\\w*)((?:->>?(?:${KEY}))*)`, 'y')
const OPERATION = new RegExp(
  `(not\\.)?(?:(in|is)|(fts|plfts|phfts|wfts)(?:\\((\\w+)\\))?|(${Object.keys(OPERATORS).join('|')})(?:\\((any|all)\\))?)\\.`,
  'y',
)
/** Returns whether PostgREST reads a text as an operator and its value. */
export const isOperation = (text: string) => text.startsWith('not.') || matchesStart(OPERATION, text)

function matchesStart(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0
  return pattern.test(text)
}

const QUOTED = /"((?:[^"\\]|\\.)*)"(?=[,)])/sy
const ARRAY = /\{[^{}]*\}/y
const UNQUOTED = /[^,)]*/y
const ALL = /.*/sy

const unquoted = (text: string) => text.replace(/\\(.)/gs, '$1')

/** Reads `operator.value`, as in `name=eq.Chain`. */
export function readFilter(reader: Reader, filtered: Filtered, column: string, path: string): Where {
  const where = readOperation(reader, filtered, { column, path }, () => reader.expect(ALL)[0])
  reader.end()
  return where
}

/** Reads `and(...)` or `or(...)`, which may begin with `not.`. */
export function readTree(reader: Reader, filtered: Filtered): Where {
  const group = reader.next(/(not\.)?(and|or)[ \t]*\([ \t]*/y)
  if (group) {
    const parts = reader.list(() => readTree(reader, filtered), /[ \t]*,[ \t]*/y)
    reader.expect(/[ \t]*\)[ \t]*/y)
    return negate(group[1], { [`$${group[2]}`]: parts })
  }
  const [, column, path] = reader.expect(FIELD)
  reader.expect(/[ \t]*\./y)
  if (filtered.embeds.has(column!)) throw onlyHosted('"and" or "or" with a condition on an embedded table')
  return readOperation(reader, filtered, { column: column!, path: path! }, () => {
    const quoted = reader.next(QUOTED)
    return quoted ? unquoted(quoted[1]!) : (reader.next(ARRAY) ?? reader.expect(UNQUOTED))[0]
  })
}

interface Field {
  column: string
  path: string
}

function readOperation(reader: Reader, filtered: Filtered, field: Field, value: () => string): Where {
  const { column, path } = field
  const [, not, word, search, language, operator, quantifier] = reader.expect(OPERATION)
  if (filtered.embeds.has(column)) return { [column]: readEmptiness(reader, column, word, not) }
  checkColumn(filtered.table, column, path)
  const name = `${search ?? word ?? operator}${quantifier ? `(${quantifier})` : ''}`
  if (path !== '' && word === undefined && !ON_PATHS.has(name)) throw onlyHosted(`"${name}" on a JSON path`)
  const test = () => {
    if (word === 'in') return { $in: readList(reader) }
    if (word === 'is') return readIs(reader, path)
    if (search) return readSearch({ filtered, column, search, language }, value())
    return compare(operator!, quantifier, value())
  }
  return negate(not, { [filtered.prefix + column + path]: test() })
}

const negate = (not: string | undefined, where: Where): Where => (not ? { $not: where } : where)

function compare(operator: string, quantifier: string | undefined, value: string): Where {
  if (quantifier && !QUANTIFIABLE.has(operator))
    throw new Refusal('PGRST100', `"${operator}" takes neither "any" nor "all"`)
  const name = OPERATORS[operator]! + (quantifier === undefined ? '' : quantifier === 'any' ? 'Any' : 'All')
  return { [name]: operator.endsWith('like') ? value.replaceAll('*', '%') : value }
}

function readList(reader: Reader): string[] {
  reader.expect(/[ \t]*\([ \t]*/y)
  const values = reader.list(() => {
    const quoted = reader.next(QUOTED)
    return quoted ? unquoted(quoted[1]!) : reader.expect(UNQUOTED)[0]
  })
  reader.expect(/\)[ \t]*/y)
  return values.length === 1 && values[0] === '' ? [] : values
}

function readIs(reader: Reader, path: string): Where {
  const word = reader.expect(/(?:null|not_null|true|false|unknown)(?!\w)/iy)[0].toLowerCase()
  if (path !== '' && word === 'unknown') throw onlyHosted('"is.unknown" on a JSON path')
  return IS[word]!
}

interface Search {
  filtered: Filtered
  column: string
  search: string
  language: string | undefined
}

function readSearch({ filtered, column, search, language }: Search, query: string): Where {
  if (!/^(?:text|varchar)$/.test(filtered.table.types.get(column) ?? ''))
    throw onlyHosted(`"${search}" on a column that is not text`)
  if (filtered.prefix !== '') throw onlyHosted(`"${search}" with an order by an embedded table`)
  return { $textSearch: { query, type: SEARCHES[search], config: language } }
}

/** Reads `is.null` or `not.is.null` of an embedded table. */
function readEmptiness(
  reader: Reader,
  name: string,
  word: string | undefined,
  not: string | undefined,
): Where {
  if (word !== 'is' || !reader.next(/null$/iy))
    throw new Refusal('PGRST120', `Bad operator on the '${name}' embedded resource`)
  return not ? { $isNot: null } : { $is: null }
}
