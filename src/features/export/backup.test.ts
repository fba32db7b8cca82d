import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { BACKUP_TABLES } from '../../lib/backup-file.ts'
import { readBackup } from './backup.ts'

const { signal } = new AbortController()
const schema = '20261120091000'
const tables = Object.fromEntries(
  BACKUP_TABLES.map((table) => [table, [1, 2].map((key) => `{"of":"${table}","key":900719925474099${key}}`)]),
)
const read = (answer: unknown) => readBackup(fakeBackend(() => Response.json(answer)).backend.client, signal)

test('reads every table in one call, and keeps all digits of the keys', async () => {
  const { backend, sent } = fakeBackend(() => Response.json({ schema, tables }))
  const text = await readBackup(backend.client, signal)
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['format', 'version', 'schema', ...BACKUP_TABLES])
  expect(text).toContain(
    '"rides": [\n{"of":"rides","key":9007199254740991},\n{"of":"rides","key":9007199254740992}\n],\n"ride_syncs"',
  )
  expect(sent).toHaveLength(1)
})

test.each<[why: string, answer: unknown, message: RegExp]>([
  ['another shape', { schema: null, tables }, /Invalid/],
  ['a missing table', { schema, tables: { ...tables, rides: undefined } }, /Invalid/],
  ['a broken row', { schema, tables: { ...tables, rides: ['{"id":'] } }, /JSON/],
  ['two rows in one line', { schema, tables: { ...tables, rides: ['{"id":1},{"id":2}'] } }, /incomplete/],
])('rejects %s', async (_, answer, message) => {
  await expect(read(answer)).rejects.toThrow(message)
})
