import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import { cleanUp } from './clean-up.ts'
import type { Database } from './database.ts'

let database: Database
beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())

test('deletes revoked session tokens and audit entries after 30 days, and nothing else', async () => {
  const { sql } = database
  await sql`
    insert into auth.refresh_tokens (id, token, user_id, revoked, created_at, updated_at)
    select name, name, gen_random_uuid(), revoked, now() - age, now() - age
    from (values ('old', true, interval '31 days'), ('recent', true, '29 days'), ('valid', false, '400 days'))
      as tokens (name, revoked, age)`
  await sql`
    insert into auth.audit_log_entries (id, payload, created_at)
    select gen_random_uuid(), to_json(days), now() - days * interval '1 day' from unnest(array[29, 31]) as days`
  await cleanUp(sql)
  expect(await sql`select token from auth.refresh_tokens order by token`).toEqual([
    { token: 'recent' },
    { token: 'valid' },
  ])
  expect(await sql`select payload from auth.audit_log_entries`).toEqual([{ payload: 29 }])
})
