import { expect, test } from 'vitest'

import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import { readEverything } from './everything.ts'

const { signal } = new AbortController()
const schema = '20261120091000'

type Asked = { relation: string; after?: string }

/** A backend whose tables have two pages each: the row of key 1, then one whose key no number can hold. */
const twoPages = ({ body }: Sent) => {
  const { relation, after } = body as Asked
  const last = after === undefined ? '1' : after === '1' ? '9007199254740993' : null
  return Response.json({
    schema,
    rows: last === null ? [] : [`{"of":"${relation}","key":${last}}`],
    last,
    total: after === undefined ? 2 : null,
  })
}

test('all pages of all tables make a backup file, and keys keep their digits', async () => {
  const { backend, sent } = fakeBackend(twoPages)
  const told: string[] = []
  const text = await readEverything(
    backend.client,
    ({ table, read, total }) => told.push(`${table} ${read}/${total}`),
    signal,
  )
  expect(Object.keys(JSON.parse(text) as object)).toEqual([
    'format',
    'version',
    'schema',
    'bikes',
    'maintenance',
    'rides',
    'ride_syncs',
  ])
  expect(text).toContain(
    '"rides": [\n{"of":"rides","key":1},\n{"of":"rides","key":9007199254740993}\n],\n"ride_syncs"',
  )
  expect(told).toContain('rides 1/2')
  expect(sent.map(({ body }) => (body as Asked).after)).toContain('9007199254740993')
})

test('the log is read before the bikes: a record that comes meanwhile may not be of a bike that is missing', async () => {
  const { backend, sent } = fakeBackend(twoPages)
  await readEverything(backend.client, () => undefined, signal)
  const order = sent.map(({ body }) => (body as Asked).relation)
  expect(order.lastIndexOf('maintenance')).toBeLessThan(order.indexOf('bikes'))
})

test('an answer of another shape is refused', async () => {
  const { backend } = fakeBackend(() => Response.json({ schema: null, rows: [], last: null, total: 0 }))
  await expect(readEverything(backend.client, () => undefined, signal)).rejects.toThrow(/Invalid/)
})
