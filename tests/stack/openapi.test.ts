// The API's document, and what it promises: every operation answers as it says, and nothing that is sent breaks it.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { addPicture, type ApiClient, startApi } from './api-client.ts'
import { cases } from '../cases.ts'
import { examples, readIds, type Run, tryOperations } from './operations.ts'

interface Field {
  name: string
  in: 'path' | 'query' | 'header'
}

interface Operation {
  operationId: string
  parameters: Field[]
  requestBody?: { content: { 'application/json': { schema: { properties: object } } } }
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
  method: string
  path: string
}

let api: ApiClient
let document: { paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>> }
let operations: Operation[]
beforeAll(async () => {
  api = await startApi()
  document = (await api.call('/openapi.json', { headers: { authorization: '' } })).body
  const copy = structuredClone(document)
  operations = Object.entries(copy.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      Object.assign(operation, { method: method.toUpperCase(), path }),
    ),
  )
})
afterAll(() => api.stop())

describe('the document', () => {
  test('is valid OpenAPI 3.1, and describes every command and field', async () => {
    const validator = new Validator()
    expect(await validator.validate(document)).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      COMMANDS.filter(({ path }) => path !== null)
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(undescribed(document)).toEqual([])
  })

  test('passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    expect(await lintFromString({ source: JSON.stringify(document), config })).toEqual([])
  })

  test('makes types that compile', async () => {
    // openapi-typescript needs the compiler's API, which TypeScript 7 doesn't have. Supabase Lite brings TypeScript 5.
    const parentURL = import.meta.resolve('@supabase/lite')
    const hooks = registerHooks({
      resolve: (name, context, next) =>
        next(name, name === 'typescript' ? { ...context, parentURL } : context),
    })
    const { astToString, default: typesOf } = await import('openapi-typescript')
    hooks.deregister()
    const folder = await mkdtemp(path.join(tmpdir(), 'openapi-'))
    const use = `import type { operations } from './types.ts'
      type Json<Name extends Exclude<keyof operations, 'get_file'>> = operations[Name]['responses'][200]['content']['application/json']
      export const milesOf = ({ entries }: Json<'list_entries'>): number[] => entries.map(({ distance }) => distance)
      // @ts-expect-error -- no such field
      export const wrong = ({ entries }: Json<'list_entries'>) => entries.map(({ miles }) => miles)`
    await writeFile(path.join(folder, 'types.ts'), astToString(await typesOf(document as never)))
    await writeFile(path.join(folder, 'use.ts'), use)
    const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--ignoreConfig', 'use.ts']
    const compiler = path.resolve('node_modules/typescript/lib/tsc.js')
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    await rm(folder, { recursive: true })
    expect(stdout).toBe('')
  })
})

/** Lists the fields and parameters without a description. */
function undescribed(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {}, parameters = {} } = part as { properties?: object; parameters?: object }
  const fields = [...Object.entries(properties), ...Object.entries(parameters)] as [
    string,
    { description?: string },
  ][]
  return [
    ...fields.filter(([, { description }]) => !description).map(([name]) => `${path}/${name}`),
    ...Object.entries(part).flatMap(([key, value]) => undescribed(value, `${path}/${key}`)),
  ]
}

type Input = Record<string, unknown>

/** Sends each field where the document says. Fields that it doesn't know go into the body, or else the query. */
function request(operation: Operation, input: Input, key?: string) {
  const query = new URLSearchParams()
  const body: Input = {}
  let { path } = operation
  for (const [name, value] of Object.entries(input)) {
    const place = operation.parameters.find((parameter) => parameter.name === name)?.in
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value).toWellFormed()))
    else if (place === undefined && operation.requestBody) body[name] = value
    else query.set(name, String(value))
  }
  const text = query.size > 0 ? `?${query}` : ''
  return api.send(operation.method, path + text, operation.requestBody && body, key ? { key } : {})
}

const ajv = new Ajv2020({ strict: false, logger: false })

const run: Run = async (name, input) => {
  const operation = operations.find(({ operationId }) => operationId === name)!
  const { status, body } = await request(operation, input as Input)
  const validate = ajv.compile(operation.responses[200]!.content['application/json'].schema)
  expect([name, status, validate(body), validate.errors]).toEqual([name, 200, true, null])
  return body
}

// files.test.ts sends and gets the bytes of files.
const withJson = () => operations.filter(({ operationId }) => !['add_file', 'get_file'].includes(operationId))
const addFile = (entry: number) => addPicture(api.url, api.writer, entry)

test('every operation answers as its schema says, does what it says, and can be undone', async () => {
  const names = withJson().map(({ operationId }) => operationId)
  expect((await tryOperations(run, names, addFile)).toSorted()).toEqual(
    names.filter((name) => name !== 'undo').toSorted(),
  )
})

const NASTY: unknown[] = [
  null,
  '',
  ' ',
  '\0',
  '\uD800',
  '\uDC00x',
  'x'.repeat(1001),
  'x'.repeat(10_001),
  '😀'.repeat(300),
  -1,
  0,
  0.001,
  1.5,
  1e9 + 1,
  1e308,
  2 ** 53,
  2 ** 63,
  '9223372036854775808',
  '2024-02-30',
  '0000-01-01',
  '1899-12-31',
  '2101-01-01',
  '2024-13-01',
  '10000-01-01',
  'today',
  '1e5',
  'NaN',
  'Infinity',
  true,
  [],
  [1],
  {},
  { id: 1 },
  "';--",
  '%',
  '\u2028',
  'installed',
  '2024-05-01',
  'km',
  'worn',
]

const fieldsOf = ({ parameters, requestBody }: Operation) => [
  ...parameters.filter((parameter) => parameter.in !== 'header').map(({ name }) => name),
  ...Object.keys(requestBody?.content['application/json'].schema.properties ?? {}),
]

async function lastChange() {
  const changes = api.owner.from('changes').select('change').order('id', { ascending: false })
  return (await changes.limit(1).throwOnError()).data[0]?.change
}

test('whatever is sent, nothing gets a 500, and what is refused names its field and writes nothing', async () => {
  const ids = await readIds(run, addFile)
  const known = examples(ids)
  const requests = fc
    .constantFrom(...withJson().filter(({ operationId }) => operationId !== 'sync_rides'))
    .chain((operation) =>
      fc.record({
        name: fc.constant(operation.operationId),
        // Most fields are right, so a wrong one gets past the others.
        wrong: fc.dictionary(
          fc.constantFrom(...fieldsOf(operation), 'nonsense'),
          fc.constantFrom(...NASTY, ...Object.values(ids)),
          { minKeys: 1, maxKeys: 2 },
        ),
        // Headers are Latin-1.
        key: fc.option(fc.constantFrom('a', 'é', 'x'.repeat(300)), { nil: undefined, freq: 10 }),
      }),
    )
  let before = await lastChange()
  await fc.assert(
    fc.asyncProperty(requests, async ({ name, wrong, key }) => {
      const operation = operations.find(({ operationId }) => operationId === name)!
      const { status, body } = await request(operation, { ...known[name]?.input, ...wrong }, key)
      const after = await lastChange()
      const saysField = /^(\w+: |Send )/.test(body?.message ?? '')
      const isFine = status === 200 || (after === before && (body?.code !== 'invalid_value' || saysField))
      const what = JSON.stringify([name, wrong, status, body]).slice(0, 300)
      // 431 is the HTTP server's, for a URL of 16 kB.
      expect([what, [200, 404, 409, 413, 422, 431].includes(status), isFine]).toEqual([what, true, true])
      if (after === before) return
      await api.send('POST', '/v1/undo', { change: after! })
      before = await lastChange()
    }),
    { numRuns: cases(400) },
  )
})
