import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = ['**/node_modules', '**/*{.test,_test}.*', '**/testing.ts']

/** Returns the methods of supabase-js that send something to the data API. */
function methodsOfClient(): Set<string> {
  const client = createClient('http://127.0.0.1', 'key')
  const builders = [client.schema('public'), client.from('bikes'), client.from('bikes').select().eq('id', 1)]
  return new Set(builders.flatMap(namesOf).filter((name) => !['constructor', 'then'].includes(name)))
}

function namesOf(value: object): string[] {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null ? [] : [...Object.getOwnPropertyNames(prototype), ...namesOf(prototype)]
}

/** Returns what a file sends to the data API: methods, operators in the text of `or`, and how it counts. */
function operatorsIn(text: string, methods: ReadonlySet<string>): string[] {
  if (!/\.(?:from\(\s*['"`]|rpc\()/.test(text)) return []
  const called = [...text.matchAll(/\.(\w+)\((?=(\s*['"`])?)/g)]
    // Lists have a method `filter`, too.
    .filter(([, name, isText]) => methods.has(name!) && (name !== 'filter' || isText))
    .map(([, name]) => name!)
  const inTexts = [...text.matchAll(/\.or\(\s*(['"`])(.*?)\1/g)].flatMap(([, , condition]) =>
    [...condition!.matchAll(/(?<=\w\.)(?:not\.)?[a-z]+(?=\.)/g)].map(([operator]) => `or: ${operator}`),
  )
  const counts = [...text.matchAll(/count: '(\w+)'/g)].map(([, kind]) => `count: ${kind}`)
  return [...called, ...inTexts, ...counts]
}

async function operatorsOf(pattern: string): Promise<string[]> {
  const methods = methodsOfClient()
  const found = new Set<string>()
  for await (const file of glob(pattern, { cwd: ROOT, exclude: NOT_OURS })) {
    for (const name of operatorsIn(await readFile(path.join(ROOT, file), 'utf8'), methods)) found.add(name)
  }
  return [...found].toSorted()
}

// Supabase Lite answers each of these as PostgREST does, also without the tracker (`same` in tests/stack/data-api-*.ts). Before you
// add one, add it there.
test('the client only uses these operators of the data API', async () => {
  expect((await operatorsOf('src/**/*.{ts,tsx}')).join(', ')).toBe(
    'abortSignal, count: exact, from, gt, in, limit, maybeSingle, or, or: is, or: not.in, or: not.is, order, range, rpc, select',
  )
})

test('the edge functions only call SQL functions', async () => {
  expect(await operatorsOf('supabase/functions/**/*.ts')).toEqual(['abortSignal', 'rpc'])
})

test('finds operators in code', () => {
  const text =
    "client.from('a').select('b').filter('c', 'like', 'd').or(`e.fts.f,g.not.cs.{h}`, { count: 'planned' })\nlist.filter((i) => i)"
  expect(operatorsIn(text, methodsOfClient())).toEqual([
    'from',
    'select',
    'filter',
    'or',
    'or: fts',
    'or: not.cs',
    'count: planned',
  ])
})
