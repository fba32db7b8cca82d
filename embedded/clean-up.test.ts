import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import { cleanUp } from './clean-up.ts'
import type { Database } from './database.ts'

let database: Database
beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())

test('deletes old session tokens, access tokens and audit entries after 30 days, and nothing else', async () => {
  const { sql } = database
  await sql`
    insert into auth.refresh_tokens (id, token, user_id, revoked, created_at, updated_at)
    select name, name, gen_random_uuid(), revoked, now() - age, now() - age
    from (values ('old', true, interval '31 days'), ('recent', true, '29 days'), ('valid', false, '400 days'))
      as tokens (name, revoked, age)`
  await sql`
    insert into auth.audit_log_entries (id, payload, created_at)
    select gen_random_uuid(), to_json(days), now() - days * interval '1 day' from unnest(array[29, 31]) as days`
  await sql`insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com')`
  await sql`
    insert into private.access_tokens (owner_id, token_hash, name, scope, expires_at, revoked_at)
    select '00000000-0000-0000-0000-00000000000a', sha256(name::bytea), name, 'read', now() - expired, now() - revoked
    from (values ('valid', interval '-1 day', null::interval), ('expired', '29 days', null), ('old', '31 days', null),
      ('revoked', '-1 day', '31 days')) as tokens (name, expired, revoked)`
  await cleanUp(sql)
  expect(await sql`select token from auth.refresh_tokens order by token`).toEqual([
    { token: 'recent' },
    { token: 'valid' },
  ])
  expect(await sql`select name from private.access_tokens order by name`).toEqual([
    { name: 'expired' },
    { name: 'valid' },
  ])
  expect(await sql`select payload from auth.audit_log_entries`).toEqual([{ payload: 29 }])
})
