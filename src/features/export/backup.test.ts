import { expect, test } from 'vitest'

import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import { BACKUP_TABLES } from '../../lib/backup-file.ts'
import { readBackup } from './backup.ts'

const { signal } = new AbortController()
const schema = '20261120091000'

type Request = { relation: string; after?: string }

/** A backend with two pages per table: a row with key 1, then one with a key that no number can hold. */
const twoPages = ({ body }: Sent) => {
  const { relation, after } = body as Request
  const last = after === undefined ? '1' : after === '1' ? '9007199254740993' : null
  return Response.json({
    schema,
    rows: last === null ? [] : [`{"of":"${relation}","key":${last}}`],
    last,
    total: after === undefined ? 2 : null,
  })
}

test('reads every page of every table, and keeps all digits of the keys', async () => {
  const { backend, sent } = fakeBackend(twoPages)
  const progress: string[] = []
  const text = await readBackup(
    backend.client,
    ({ table, read, total }) => progress.push(`${table} ${read}/${total}`),
    signal,
  )
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['format', 'version', 'schema', ...BACKUP_TABLES])
  expect(text).toContain(
    '"rides": [\n{"of":"rides","key":1},\n{"of":"rides","key":9007199254740993}\n],\n"ride_syncs"',
  )
  expect(progress).toContain('rides 1/2')
  expect(sent.map(({ body }) => (body as Request).after)).toContain('9007199254740993')
})

test('reads the log before the bikes, so an item added in between has its bike', async () => {
  const { backend, sent } = fakeBackend(twoPages)
  await readBackup(backend.client, () => undefined, signal)
  const order = sent.map(({ body }) => (body as Request).relation)
  expect(order.lastIndexOf('maintenance')).toBeLessThan(order.indexOf('bikes'))
})

test('rejects a response with another shape', async () => {
  const { backend } = fakeBackend(() => Response.json({ schema: null, rows: [], last: null, total: 0 }))
  await expect(readBackup(backend.client, () => undefined, signal)).rejects.toThrow(/Invalid/)
})
