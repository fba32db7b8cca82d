import type { FunctionInfo, IntrospectResult } from '@supabase/lite'
import type { Asked } from './asked.ts'
import { isOperation } from './filters.ts'
import type { Plan } from './plan.ts'
import { type Parameter, readQuery, RESERVED } from './query.ts'
import { onlyHosted, Refusal } from './refusal.ts'
import { functionsOf, type Table, tableOf } from './schema.ts'
import { readCells, textOf } from './values.ts'

/** Plans a call of a function. */
export function planCall(schema: IntrospectResult, asked: Asked): Pick<Plan, 'apply' | 'check'> {
  const [called, ...others] = functionsOf(schema, asked.name)
  // Supabase Lite answers with 404 before it runs anything.
  if (!called) return { apply: () => undefined }
  if (others.length > 0 || called.has_variadic || called.arg_names.length < called.arg_types.length)
    throw onlyHosted('Calling a function that is overloaded, variadic or has an unnamed argument')
  // It may stand for a media type, or for the rows of a table, whose embedded tables Supabase Lite would not join.
  if (called.return_typtype === 'd') throw onlyHosted('Calling a function that returns a domain')
  const inQuery = asked.method === 'POST' ? [] : asked.parameters.filter(isArgument)
  if (new Set(inQuery.map(([key]) => key)).size < inQuery.length) throw onlyHosted('A repeated argument')
  const parameters = asked.parameters.filter((one) => !inQuery.includes(one))
  const { query } = readQuery(schema, returnedBy(schema, called, parameters), parameters)
  const check = limitOf(called, asked)
  return {
    ...(check && { check }),
    apply(ast) {
      const args = asked.body === '' ? inQuery : readArguments(asked.body, called)
      Object.assign(ast, query, args.length > 0 && { args: Object.fromEntries(args) })
    },
  }
}

const isArgument = ([key, value]: Parameter) =>
  /^(?!(?:select|order|limit|offset|and|or)$)\w+$/.test(key) && !RESERVED.includes(key) && !isOperation(value)

/** Returns a JSON body's arguments as PostgreSQL reads them. */
function readArguments(
  body: string,
  { arg_names: names, arg_types: types }: FunctionInfo,
): [string, string | null][] {
  const cells = readCells(body)
  if (Array.isArray(cells)) throw onlyHosted('A list of arguments', 'PGRST102')
  return Object.entries(cells).map(([name, json]) => [name, textOf(json, types[names.indexOf(name)])])
}

/** Returns the table whose rows a function returns. */
function returnedBy(schema: IntrospectResult, called: FunctionInfo, parameters: readonly Parameter[]): Table {
  const { name, return_type: type, return_typtype: kind } = called
  const table = kind === 'c' ? tableOf(schema, type.replace(/^.*\./, '').replaceAll('"', '')) : undefined
  const isShaped = parameters.some(
    ([key, value]) => !['apikey', 'limit', 'offset'].includes(key) && !(key === 'select' && value === '*'),
  )
  if (!table && isShaped)
    throw onlyHosted('Shaping what a function returns, unless it returns rows of a table,')
  return table ?? { name, isView: false, primaryKey: [], types: new Map(), computed: new Set() }
}

/** Returns a check that a function didn't return more rows than `max-affected` allows. */
function limitOf({ return_is_setof: isSet }: FunctionInfo, { preferences }: Asked): Plan['check'] {
  const { handling, 'max-affected': limit } = preferences
  if (handling !== 'strict' || limit === undefined) return undefined
  if (!isSet)
    throw new Refusal(
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    )
  return (response) => {
    const [, first, last] = /^(\d+)-(\d+)\//.exec(response.headers.get('content-range') ?? '') ?? []
    if (Number(last) - Number(first) + 1 <= Number(limit) || first === undefined) return undefined
    return new Refusal('PGRST124', 'Query result exceeds max-affected preference constraint')
  }
}
