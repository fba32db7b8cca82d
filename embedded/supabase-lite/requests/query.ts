import type { AnyAST, IntrospectResult } from '@supabase/lite'
import { readFilter, readTree, type Where } from './filters.ts'
import { Reader } from './reader.ts'
import { malformed, onlyHosted, Refusal } from './refusal.ts'
import type { Table } from './schema.ts'
import { type Level, levelOf, readOrder, readSelect } from './select.ts'

export type Parameter = readonly [key: string, value: string]

/** Parameters that Supabase Lite reads itself. */
export const RESERVED = ['apikey', 'columns', 'on_conflict']

const KEY =
  /^((?:[A-Za-z_]\w*\.)*?)(?:(not\.)?(and|or)|(order|limit|offset)|([A-Za-z_]\w*)((?:->>?(?:-?\d+|[A-Za-z_]\w*))*))$/

const ORDER = /(?:^|\.)order$/

/** Reads a query string: what is selected, and the filters, order and limits of each table in it. */
export function readQuery(schema: IntrospectResult, table: Table, parameters: readonly Parameter[]): Level {
  const selects = parameters.filter(([key]) => key === 'select')
  if (selects.length > 1) throw onlyHosted('A repeated "select"')
  const root = selects[0] ? readSelect(schema, table, selects[0][1]) : levelOf(table)
  const others = parameters.filter(([key]) => key !== 'select' && !RESERVED.includes(key))
  // An order may need a prefix for the filters.
  const [orders, rest] = [
    others.filter(([key]) => ORDER.test(key)),
    others.filter(([key]) => !ORDER.test(key)),
  ]
  for (const [key, value] of [...orders, ...rest]) read(root, key, value)
  checkLevel(root)
  return root
}

function read(root: Level, key: string, value: string): void {
  const match = KEY.exec(key)
  if (!match) throw malformed('tree path', key)
  const [, path, not = '', logic, transform, column, json] = match
  const level = findLevel(root, path!.split('.').slice(0, -1))
  if (level.isSpread) throw onlyHosted(`A filter, order or limit of a spread table`)
  if (transform) return setTransform(level, transform as 'order' | 'limit' | 'offset', value)
  if (logic) return addFilter(level, readWholeTree(level, `${not}${logic}`, value))
  const filter = readFilter(new Reader('filter', value), level, column!, json!)
  if (!level.embeds.has(column!)) return addFilter(level, filter)
  if (level.query.where?.[column!]) throw onlyHosted(`A repeated filter on an embedded table`)
  level.query.where = { ...level.query.where, ...filter }
}

function readWholeTree(level: Level, operator: string, value: string): Where {
  const reader = new Reader('logic tree', `${operator}${value}`)
  const where = readTree(reader, level)
  reader.end()
  return where
}

function addFilter({ query }: Level, filter: Where): void {
  const { $and = [], ...others } = query.where ?? {}
  query.where = { ...others, $and: [...($and as Where[]), filter] }
}

function findLevel(root: Level, path: readonly string[]): Level {
  let level = root
  for (const name of path) {
    const next = level.embeds.get(name)
    if (!next) throw new Refusal('PGRST108', `'${name}' is not an embedded resource in this request`)
    level = next
  }
  return level
}

function setTransform(level: Level, name: 'order' | 'limit' | 'offset', value: string): void {
  if (level.query[name] !== undefined) throw onlyHosted(`A repeated "${name}"`)
  if (name === 'order') {
    level.query.order = readOrder(level, value)
    // Supabase Lite joins the tables that it orders by.
    if (level.query.order.some((term) => term.embed !== undefined)) level.prefix = `${level.table.name}.`
    return
  }
  if (name === 'limit' && /^-\d+$/.test(value))
    throw new Refusal('PGRST103', 'Requested range not satisfiable', 416)
  if (!/^\d{1,15}$/.test(value)) throw malformed(name, value)
  level.query[name] = Number(value)
}

/** Refuses combinations that Supabase Lite reads otherwise: it orders by, and looks for, rows of an embedded table without limits. */
function checkLevel({ query, embeds }: Level): void {
  for (const [name, embedded] of embeds) {
    const { where, limit, offset }: Pick<AnyAST, 'where' | 'limit' | 'offset'> = embedded.query
    const isLimited = limit !== undefined || offset !== undefined
    if ((isLimited || where) && query.order?.some((term) => term.embed === name))
      throw onlyHosted('An order by an embedded table that is filtered or limited')
    if (isLimited && (query.join?.[name]?.type === 'inner' || query.where?.[name]))
      throw onlyHosted('A limit of an embedded table that limits the rows around it')
    checkLevel(embedded)
  }
}
