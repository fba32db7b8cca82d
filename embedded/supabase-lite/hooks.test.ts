import { expect, test } from 'vitest'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import { requireHooks } from './hooks.ts'

const connection = () => createPostgresConnection({ url: 'postgres://127.0.0.1:9/none' })

test('accepts the installed version', () => {
  expect(() => requireHooks(connection())).not.toThrow()
})

test.each<[string, Partial<PostgresConnection>, string?]>([
  ['version 0.11.0', {}, '0.11.0'],
  ['connection.withContext', { withContext: async () => undefined as never }],
  ['connection.runInTransaction', { runInTransaction: undefined as never }],
  ['connection.driver.reserve', { driver: {} as never }],
  ['connection.kysely.transaction', { kysely: {} as never }],
])('stops the start if %s no longer fits', (name, changes, version) => {
  const changed = Object.assign(connection(), changes)
  expect(() => requireHooks(changed, version)).toThrow(
    `The tracker fits Supabase Lite 0.10.0, but these don't fit: ${name}. Run npm ci, or adapt embedded/supabase-lite.`,
  )
})
