import type { AnyAST, SelectEntry } from '@supabase/lite'
import type { IntrospectResult } from '@supabase/lite'
import { FIELD, type Filtered } from './filters.ts'
import { Reader } from './reader.ts'
import { malformed, onlyHosted, Refusal } from './refusal.ts'
import { checkColumn, type Table, tableOf } from './schema.ts'

/** A table in a request, and what is selected from it. `query` is Supabase Lite's form of it. */
export interface Level extends Filtered {
  table: Table
  query: Pick<AnyAST, 'select' | 'join' | 'where' | 'order' | 'limit' | 'offset'>
  embeds: Map<string, Level>
  isSpread: boolean
  /** Whether it has no alias, cast or path, and nothing embedded. */
  isPlain: boolean
}

export const levelOf = (table: Table, isSpread = false): Level => ({
  table,
  prefix: '',
  query: {},
  embeds: new Map(),
  isSpread,
  isPlain: true,
})

const NAME = '[A-Za-z_]\\w*'
const ALIAS = new RegExp(`(${NAME}):(?!:)`, 'y')
const EMBED = new RegExp(`(\\.\\.\\.)?(${NAME})((?:!${NAME})*)\\(`, 'y')
const AGGREGATE = /(?:count|(?:[\w>-]+(?:::\w+)?)?\.(?:count|sum|avg|min|max))\(\)/y
const CASTS =
  /::(text|varchar|int2|int4|int8|smallint|integer|int|bigint|numeric|real|float4|float8|boolean|bool|date|time|timestamp|timestamptz|uuid)(?![\w[])/y

/** Reads `select=`. */
export function readSelect(schema: IntrospectResult, table: Table, text: string): Level {
  const reader = new Reader('select parameter', text.replace(/\s/g, ''))
  const level = levelOf(table)
  readItems(schema, reader, level)
  reader.end()
  return level
}

function readItems(schema: IntrospectResult, reader: Reader, level: Level): void {
  level.query.select = reader.list(() => readItem(schema, reader, level))
}

function readItem(schema: IntrospectResult, reader: Reader, level: Level): SelectEntry {
  if (reader.next(/\*(?![\w(!:])/y)) return '*'
  const alias = reader.next(ALIAS)?.[1]
  if (alias !== undefined) level.isPlain = false
  if (reader.next(AGGREGATE)) throw new Refusal('PGRST123', 'Use of aggregate functions is not allowed')
  const embed = reader.next(EMBED)
  if (embed) return readEmbed(schema, reader, level, alias, embed)
  return readField(reader, level, alias)
}

function readField(reader: Reader, level: Level, alias: string | undefined): SelectEntry {
  const [, column, path] = reader.expect(FIELD)
  checkColumn(level.table, column!, path)
  const cast = reader.next(CASTS)?.[1]
  if (reader.next(/::/y)) throw onlyHosted('A cast to this type')
  if (path === '' && cast === undefined && alias === undefined) return column!
  level.isPlain = false
  if (level.table.computed.has(column!)) throw onlyHosted('An alias or a cast of a computed column')
  // Supabase Lite reads the JSON text of other paths twice.
  const last = /->>([A-Za-z_]\w*)$/.exec(path!)?.[1]
  if (path !== '' && last === undefined) throw onlyHosted('"->" at the end of a path in "select"')
  const json = path === '' ? {} : { path: `$.${path!.split(/->>?/).slice(1).join('.')}`, pathText: true }
  if (path!.split('->>').length > 2) throw malformed('select parameter', path!)
  return { [alias ?? last ?? column!]: { column: column!, ...json, ...(cast === undefined ? {} : { cast }) } }
}

function readEmbed(
  schema: IntrospectResult,
  reader: Reader,
  level: Level,
  alias: string | undefined,
  [, spread, name, hints]: RegExpExecArray,
): SelectEntry {
  level.isPlain = false
  if (spread && alias !== undefined) reader.fail()
  if (level.isSpread) throw onlyHosted('A table embedded in a spread table')
  const [, hint, type] =
    /^(?:!((?!inner(?!\w)|left(?!\w))\w+))?(?:!(inner|left))?$/.exec(hints!) ?? reader.fail()
  const table = tableOf(schema, name!)
  if (!table)
    throw new Refusal(
      'PGRST200',
      `Could not find a relationship between '${level.table.name}' and '${name}' in the schema cache`,
    )
  // Supabase Lite doesn't know which of their relations are one-to-one.
  if (table.isView || level.table.isView) throw onlyHosted('Embedding into or from a view')
  const key = alias ?? name!
  if (level.embeds.has(key)) throw onlyHosted(`Embedding ${key} twice under the same name`)
  const embedded = levelOf(table, spread !== undefined)
  if (reader.next(/\)/y)) embedded.query.select = []
  else {
    readItems(schema, reader, embedded)
    reader.expect(/\)/y)
  }
  level.embeds.set(key, embedded)
  level.query.join = {
    ...level.query.join,
    [key]: {
      ...(alias !== undefined && { from: name! }),
      ...(hint !== undefined && { hint }),
      ...(type === 'inner' && { type }),
    },
  }
  return { [key]: Object.assign(embedded.query, spread && { spread: true }) }
}

const TERM = new RegExp(`(?:(${NAME})\\((?=[^()]*\\)))?`, 'y')

/** Reads `order=`. */
export function readOrder(level: Level, text: string): NonNullable<AnyAST['order']> {
  const reader = new Reader('order', text.replace(/\s/g, ''))
  const terms = reader.list(() => {
    const embed = reader.expect(TERM)[1]
    const [, column, path] = reader.expect(FIELD)
    if (embed !== undefined) reader.expect(/\)/y)
    const [, direction, nulls] = reader.expect(/(?:\.(asc|desc))?(?:\.nulls(first|last))?(?=,|$)/y)
    const table = embed === undefined ? level.table : relatedOf(level, embed)
    checkColumn(table, column!, path)
    if (table.computed.has(column!)) throw onlyHosted('An order by a computed column')
    return {
      column: column! + path!,
      ...(embed !== undefined && { embed }),
      ...(direction !== undefined && { direction: direction as 'asc' | 'desc' }),
      ...(nulls !== undefined && { nullsFirst: nulls === 'first' }),
    }
  })
  reader.end()
  return terms
}

function relatedOf(level: Level, embed: string): Table {
  const related = level.embeds.get(embed)
  if (!related) throw new Refusal('PGRST108', `'${embed}' is not an embedded resource in this request`)
  return related.table
}
