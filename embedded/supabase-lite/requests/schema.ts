import type { ColumnInfo, FunctionInfo, IntrospectResult } from '@supabase/lite'
import { onlyHosted, unknownColumn } from './refusal.ts'

/** A table or view, and the types of its columns. */
export interface Table {
  name: string
  isView: boolean
  primaryKey: string[]
  types: ReadonlyMap<string, string>
  /** Functions that PostgREST treats as columns. */
  computed: ReadonlySet<string>
}

const tables = new WeakMap<IntrospectResult, Map<string, Table>>()

/** Returns a table, or undefined if the schema has none of that name. */
export function tableOf(schema: IntrospectResult, name: string): Table | undefined {
  const isIt = (one: { name: string; schema: string }) => one.name === name && one.schema === 'public'
  const isView = schema.views.some(isIt)
  if (!isView && !schema.tables.some(isIt)) return undefined
  const known = tables.get(schema) ?? new Map<string, Table>()
  tables.set(schema, known)
  const table = known.get(name) ?? { ...readTable(schema, name), isView }
  known.set(name, table)
  return table
}

// Supabase Lite formats domains of these names in ways of its own.
const FORMATTED = /^(?:color|isodate|isodatetext|unixtz|monetary|monetarytext|bytea_b64)$/

function readTable(schema: IntrospectResult, name: string): Omit<Table, 'isView'> {
  const columns = schema.columns.filter((column) => column.table === name && column.schema === 'public')
  const formatted = columns.find((column) => FORMATTED.test(column.pg_type ?? ''))
  if (formatted) throw onlyHosted(`A table with a column of the type ${formatted.pg_type}`)
  const computed = (schema.functions ?? []).filter(
    ({ schema: of, arg_types: types }) => of === 'public' && types.length === 1 && types[0] === name,
  )
  return {
    name,
    primaryKey: columns.filter((column) => column.is_primary_key).map((column) => column.name),
    types: new Map(columns.map((column) => [column.name, typeOf(column)])),
    computed: new Set(computed.map((one) => one.name)),
  }
}

/** Returns a column's type, or JSON if it is a domain over JSON. */
const typeOf = ({ type, pg_type: name = type }: ColumnInfo) => (isJson(type) && !isArray(name) ? type : name)

export const functionsOf = (schema: IntrospectResult, name: string): FunctionInfo[] =>
  (schema.functions ?? []).filter((one) => one.schema === 'public' && one.name === name)

export const isJson = (type = '') => /^jsonb?$/.test(type)
export const isArray = (type = '') => type.startsWith('_') || type.endsWith('[]')

/**
 * Checks a column and its JSON path. Supabase Lite writes names without their table, so PostgreSQL would read an unknown column
 * of an embedded table from the table around it.
 */
export function checkColumn(table: Table, name: string, path = ''): void {
  const type = table.types.get(name)
  if (type === undefined && !table.computed.has(name)) throw unknownColumn(table.name, name)
  if (path !== '' && !isJson(type)) throw onlyHosted('A path into a column that is not JSON')
}
