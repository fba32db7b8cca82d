// Sends what scripts may send, and compares the answers with those that PostgREST documents.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CALLS, type Client } from './data-api-calls.ts'
import { REQUESTS } from './data-api-requests.ts'
import { type Answer, type Asked, type DataApi, openDataApi } from './data-api-world.ts'

const ROWS = String.raw`
  alter sequence bike_id_seq restart with 1000;
  truncate bike, job, tool, first_bike, first_job;
  insert into bike (id, name, retired, bought) values (1, 'Red', true, null), (2, 'Blue', false, null), (3, 'x, y', null, null),
    (4, '1.50', true, '2024-01-04'), (5, '1.5', false, '2024-01-05'), (6, 'a"b', null, '2024-01-06'), (7, 'C*', null, null),
    (8, 'null', null, null), (9, 'a(b)', null, null), (10, '5', null, null), (11, ' 5', null, null), (12, '0x10', null, null),
    (13, '+5', null, null), (14, 'a.b', null, null), (15, '"', null, null), (16, '\', null, null),
    (9007199254740992, 'even', null, null), (9007199254740993, 'odd', null, null);
  insert into job values
    (1, 1, 'Wax', 10, '{"a": "1", "b": {"c": "x"}}', '{a,b}', '{1,2}'), (2, 1, 'Tape', 20, '{"a": 1}', '{}', null),
    (3, 2, 'Wax', 30, null, null, null), (4, null, 'Lube', 0, '"1"', '{a}', null),
    (5, 3, 'Chain', 25, '[1]', '{"x, y",NULL}', null), (6, 5, 'Gears', 12345678901234567890, null, null, null);
  insert into tool values (1, 'key'), (1, 'rag'), (3, 'key');
  insert into first_bike table bike;
  insert into first_job table job;`

let api: DataApi
beforeAll(async () => {
  api = await openDataApi('create table first_bike (like bike); create table first_job (like job);')
})
afterAll(() => api.close())
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

/** Returns the changed rows of each table, such as `bike 1,2`. */
async function changes(): Promise<string> {
  const found = ['bike', 'job'].map(async (table) => {
    const [row] = await api.sql.unsafe(`
      select string_agg(id::text, ',' order by id) as ids from (select id from
        ((table ${table} except table first_${table}) union (table first_${table} except table ${table})) as changed group by id) as ids`)
    return row!['ids'] === null ? [] : [`${table} ${row!['ids']}`]
  })
  return (await Promise.all(found)).flat().join(' ')
}

const CONTENT = `
  select (select json_agg(b order by id)::text from bike b) as bikes, (select json_agg(j order by id)::text from job j) as jobs,
    (select json_agg(t order by job_id, name)::text from tool t) as tools`

/** Returns an answer, the changed rows, and all rows. */
async function inFreshRows<T>(run: () => PromiseLike<T>): Promise<[T, string, unknown]> {
  await api.sql.unsafe(ROWS)
  return [await run(), await changes(), await api.sql.unsafe(CONTENT)]
}

const TYPES: Record<string, Record<string, string>> = {
  object: { accept: 'application/vnd.pgrst.object+json' },
  'array;nulls': { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  csv: { 'content-type': 'text/csv' },
  form: { 'content-type': 'application/x-www-form-urlencoded' },
}

const MEDIA_TYPE = /^\w+\/[\w.+-]+$/

/** Reads `METHOD path (preferences) body`. */
function readRequest(text: string): Asked {
  const [, method, path, options = '', body] = /^(\w+) (\S+)(?: \((.*?)\))?(?: (.*))?$/s.exec(text)!
  const names = options.split(', ').filter(Boolean)
  const preferences = names.filter((name) => !(name in TYPES) && !MEDIA_TYPE.test(name)).join(', ')
  const type = names.find((name) => MEDIA_TYPE.test(name))
  const headers = Object.assign(
    preferences === '' ? {} : { prefer: preferences },
    type === undefined ? {} : { accept: type },
    ...names.map((name) => TYPES[name]),
  )
  return { method: method!, path: path!, headers, body }
}

/** Returns the status, and the error's code, the body or the ids of its rows. */
function summaryOf({ status, body, headers }: Answer, { isJson = false, isCounted = false }): string {
  const rows = () => body.map(({ id }: { id: number }) => id).join()
  const text = () => (body === '' ? '' : isJson || !Array.isArray(body) ? JSON.stringify(body) : rows())
  const range = isCounted && status < 400 ? `(${headers.get('content-range')})` : ''
  return [status, status >= 400 ? body.code : text(), range]
    .filter((part) => part !== '' && part !== undefined)
    .join(' ')
}

const VERDICTS = ['same', 'rewritten', 'refused'] as const

interface Row {
  verdict: (typeof VERDICTS)[number]
  request: string
  answer: string
  changed: string
}

const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [verdict, request, answer, changed = ''] = line.trim().split(/ *\| /)
      return {
        verdict: VERDICTS.find((one) => one === verdict)!,
        request: request!,
        answer: answer!.trim(),
        changed,
      }
    })

const ROWS_OF_GROUPS = Object.entries(REQUESTS).map(([group, text]) => [group, rowsOf(text)] as const)

describe.each(ROWS_OF_GROUPS)('%s', (_, rows) => {
  test.each(rows)('$verdict: $request', async ({ verdict, request, answer, changed }) => {
    const asked = readRequest(request)
    const options = { isJson: /^\d+ [[{]/.test(answer), isCounted: request.includes('count=') }
    const [found, changes, rows] = await inFreshRows(() => api.tracker.send(asked))
    expect([summaryOf(found, options), changes]).toEqual([answer, changed])
    if (verdict === 'refused') return
    // If Supabase Lite itself is right one day, the tracker can leave the request to it.
    const [alone, , rowsAlone] = await inFreshRows(() => api.lite.send(asked))
    const isSame = summaryOf(alone, options) === answer && JSON.stringify(rows) === JSON.stringify(rowsAlone)
    expect(isSame ? 'same' : 'rewritten').toBe(verdict)
  })
})

const isRows = (data: unknown): data is { id: number }[] =>
  Array.isArray(data) && data.every((row) => 'id' in row)

describe('supabase-js', () => {
  test.each(CALLS.map((call, index) => [call[1].toString().replace(/^\(db\) => /, ''), index] as const))(
    '%s',
    async (_, index) => {
      const [verdict, call, wanted] = CALLS[index]!
      const run = async (client: Client) => {
        const { data, error } = await call(client)
        if (error) return error.code
        return typeof wanted === 'string' && isRows(data) ? data.map(({ id }) => id).join() : data
      }
      const [found, , rows] = await inFreshRows(() => run(api.tracker.client))
      expect(found).toEqual(wanted)
      if (verdict === 'refused') return
      const [alone, , rowsAlone] = await inFreshRows(() => run(api.lite.client))
      expect(
        JSON.stringify([alone, rowsAlone]) === JSON.stringify([wanted, rows]) ? 'same' : 'rewritten',
      ).toBe(verdict)
    },
  )
})

test('undoes what a function did before the refusal, which ran with the rights of the caller', async () => {
  const object = { accept: 'application/vnd.pgrst.object+json' }
  const { status } = await api.tracker.send({
    method: 'POST',
    path: 'rpc/note_role',
    headers: object,
    body: '{}',
  })
  expect(status).toBe(406)
  // Sequences keep their values. The function stores 2 only for the role "authenticated".
  expect(await api.sql`select last_value::integer from runs`).toEqual([{ last_value: 2 }])
})

test('answers with the headers of the request as sent', async () => {
  await api.sql.unsafe(ROWS)
  const headersOf = async (line: string) => (await api.tracker.send(readRequest(line))).headers
  const read = await headersOf('GET bike?or=(id.eq.1,id.eq.2)&name=eq.1.50&or=(id.eq.4) (count=estimated)')
  expect(decodeURIComponent(read.get('content-location')!)).toBe(
    '/bike?name=eq.1.50&or=(id.eq.1,id.eq.2)&or=(id.eq.4)',
  )
  expect(read.get('preference-applied')).toBe('count=estimated')
  const write = await headersOf(
    'PATCH bike?id=eq.1 (handling=strict, max-affected=1, tx=commit) {"note":"n"}',
  )
  expect(write.get('preference-applied')).toBe('handling=strict, max-affected=1')
  const path = 'POST bike?select=n:name'
  expect((await headersOf(`${path} (return=representation) {"id":20}`)).get('location')).toBeNull()
  expect((await headersOf(`${path} (return=headers-only) {"id":21}`)).get('location')).toBe('/bike?id=eq.21')
})

const quotes = (count: number) =>
  api.tracker.send({ method: 'GET', path: `bike?name=eq.${'"'.repeat(count)}` })

test('counts the length of the query as sent', async () => {
  // Each is sent as three characters.
  expect((await quotes(2727)).status).toBe(200)
  const { status, body } = await quotes(2728)
  expect([status, body.message]).toEqual([400, 'The query is longer than 8192 characters'])
})

test('names what it refuses, and says that hosted projects can do it', async () => {
  const { body } = await api.tracker.send({ method: 'PUT', path: 'bike?id=eq.1', body: '{}' })
  expect(body).toEqual({
    code: 'PGRST127',
    message: 'PUT only works on hosted projects.',
    details: null,
    hint: null,
  })
})
