import type { IntrospectResult } from '@supabase/lite'
import type { Asked } from './asked.ts'
import type { Plan } from './plan.ts'
import { readQuery, RESERVED } from './query.ts'
import { malformed, onlyHosted } from './refusal.ts'
import { type Table, tableOf } from './schema.ts'
import type { Level } from './select.ts'
import { type Cells, readCells, textOf } from './values.ts'

/** Plans a request to a table or view. */
export function planTable(schema: IntrospectResult, asked: Asked): Pick<Plan, 'apply'> {
  const table = tableOf(schema, asked.name)
  // Supabase Lite answers with 404 before it runs anything.
  if (!table) return { apply: () => undefined }
  const { query, ...root } = readQuery(schema, table, asked.parameters)
  if (/^(?:POST|PATCH|DELETE)$/.test(asked.method)) checkWrite(asked, table, { query, ...root })
  if (asked.body === '') return { apply: (ast) => void Object.assign(ast, query) }
  const columns = readColumns(asked)
  return {
    apply(ast, asText) {
      // Supabase Lite has parsed the body, so it is valid JSON.
      const { rows, isList, kept } = fillIn(readCells(asked.body), columns, asked)
      const texts = rows.map((row) => {
        const values: Record<string, unknown> = Object.create(null)
        for (const name in row) values[name] = asText(textOf(row[name]!, table.types.get(name)))
        return values
      })
      Object.assign(ast, query, { values: isList ? texts : texts[0] })
      if (kept) ast.$meta = { ...ast.$meta, columns: kept }
    },
  }
}

/** Refuses what Supabase Lite ignores in a write, or reads only after it. */
function checkWrite({ method, parameters, preferences }: Asked, table: Table, root: Level): void {
  const { order, limit, offset, where } = root.query
  // Supabase Lite refuses it with PostgreSQL's code.
  if (method !== 'POST' && where === undefined) return
  if (order !== undefined || limit !== undefined || offset !== undefined)
    throw onlyHosted('An order or a limit of a write')
  if (where !== undefined && Object.keys(where).some((name) => name !== '$and'))
    throw onlyHosted('A filter on an embedded table in a write')
  const isFiltered = parameters.filter(([key]) => key !== 'select' && !RESERVED.includes(key))
  if (method === 'POST' && isFiltered.length > 0) throw onlyHosted('A filter of an insert')
  if (root.isPlain || preferences['return'] !== 'representation') return
  // It reads the rows again after the write, by the same filters.
  if (method === 'PATCH' && isFiltered.some(([key]) => !table.primaryKey.includes(key)))
    throw onlyHosted(
      'An alias, a cast or an embedded table in the answer to a change, unless it is filtered by its key only,',
    )
  if (preferences['count'] !== undefined)
    throw onlyHosted('A count with an alias, a cast or an embedded table in the answer to a write')
}

function readColumns({ parameters }: Asked): string[] | undefined {
  const text = parameters.find(([key]) => key === 'columns')?.[1]
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  if (!names.every((name) => /^\w+$/.test(name))) throw malformed('columns parameter', text)
  return [...new Set(names)]
}

interface Rows {
  rows: Cells[]
  isList: boolean
  kept?: string[]
}

/** Gives each row all `columns`, and nothing else. */
function fillIn(cells: Cells | Cells[], columns: string[] | undefined, { method, preferences }: Asked): Rows {
  const isList = Array.isArray(cells)
  const rows = isList ? cells : [cells]
  if (isList && method === 'PATCH') throw onlyHosted('A change with a list as its body', 'PGRST102')
  if (!columns) return { rows, isList }
  const isDefault = preferences['missing'] === 'default'
  const kept = isDefault ? columns.filter((name) => rows.some((row) => name in row)) : columns
  if (
    isDefault &&
    (rows.some((row) => kept.some((name) => !(name in row))) ||
      (method === 'PATCH' && kept.length < columns.length))
  )
    throw onlyHosted('"missing=default" with keys that some rows lack')
  return {
    rows: rows.map((row) => Object.fromEntries(kept.map((name) => [name, row[name] ?? 'null']))),
    isList,
    kept,
  }
}
