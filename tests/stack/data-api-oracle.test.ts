// Compares generated requests with PostgreSQL: the data API must find the rows, and store and answer the values, that the
// statements of PostgREST do. Nothing here may be refused.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRandom, filterOf, ROWS, treeOf, WRITTEN, WRITTEN_COLUMNS } from './data-api-generator.ts'
import { type DataApi, openDataApi, parse } from './data-api-world.ts'

const FILTERS = 3000
const TREES = 3000

let api: DataApi
beforeAll(async () => {
  const columns = Object.entries(WRITTEN_COLUMNS).map(([name, type]) => `${name} ${type}`)
  api = await openDataApi(`create table written (${columns.join()}); grant all on written to authenticated;`)
  await api.sql.unsafe(ROWS)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterAll(() => api.close())

const param = (key: string, value: string) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`

async function codeOr<T>(run: () => PromiseLike<T>): Promise<T | string> {
  try {
    return await run()
  } catch (error) {
    return (error as { code: string }).code
  }
}

const rowsOf = (table: string, where: string) =>
  codeOr(async () => {
    const rows = await api.sql.unsafe(`select id::text from ${table} where ${where} order by id`)
    return rows.map(({ id }) => id).join()
  })

async function answeredRows(table: string, query: string): Promise<string> {
  const { status, body } = await api.tracker.send({
    method: 'GET',
    path: `${table}?select=id::text&order=id&${query}`,
  })
  return status === 200 ? body.map(({ id }: { id: string }) => id).join() : body.code
}

test(`finds the rows of ${FILTERS} filters`, async () => {
  const random = createRandom(78)
  const differences: unknown[] = []
  for (let count = 0; count < FILTERS; count++) {
    const filter = filterOf(random)
    const [alone, nested, right] = await Promise.all([
      answeredRows(filter.table, param(filter.column, filter.value)),
      answeredRows(filter.table, param('and', `(${filter.nested})`)),
      rowsOf(filter.table, filter.sql),
    ])
    if (alone !== right || nested !== right) differences.push({ ...filter, alone, nested, right })
  }
  expect(differences).toEqual([])
})

test(`finds the rows of ${TREES} logic trees`, async () => {
  const random = createRandom(3000)
  const differences: unknown[] = []
  for (let count = 0; count < TREES; count++) {
    const trees = Array.from({ length: 1 + random.below(3) }, () => treeOf(3, random))
    const query = trees.map(({ operator, operands }) => param(operator, operands)).join('&')
    const [found, right] = await Promise.all([
      answeredRows('bike', query),
      rowsOf('bike', trees.map(({ sql }) => sql).join(' and ')),
    ])
    if (found !== right) differences.push({ query: decodeURIComponent(query), found, right })
  }
  expect(differences).toEqual([])
})

test.for(Object.entries(WRITTEN_COLUMNS))(
  'stores and answers every value in %s, a %s',
  async ([name, type]) => {
    const { sql } = api
    const differences: unknown[] = []
    for (const json of WRITTEN) {
      const body = `{ "${name}" : ${json} }`
      const wanted = await codeOr(async () => {
        const values = `${name}::text as stored, json_build_array(${name})::text as answered`
        const [right] = await sql.unsafe(`select ${values} from json_to_record($1) as _(${name} ${type})`, [
          body,
        ])
        return { stored: right!['stored'], answered: parse(right!['answered'])[0] }
      })
      const { status, body: rows } = await api.tracker.send({
        method: 'POST',
        path: `written?select=${name}`,
        headers: { prefer: 'return=representation' },
        body,
      })
      const gone = `with gone as (delete from written returning *) select ${name}::text as stored from gone`
      const [row] = await sql.unsafe(gone)
      const found = status === 201 ? { stored: row!['stored'], answered: rows[0][name] } : rows.code
      if (JSON.stringify(found) !== JSON.stringify(wanted)) differences.push({ json, found, wanted })
    }
    expect(differences).toEqual([])
  },
)
