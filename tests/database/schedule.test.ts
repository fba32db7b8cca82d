import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openMigratedDatabase } from './databases.ts'

const MIGRATION = new URL(
  '../../supabase/migrations/20261121161000_create_ride_sync_schedule.sql',
  import.meta.url,
)

test('the schedule migration can run again without changing anything', async () => {
  const database = await openMigratedDatabase()
  const functions = () =>
    database.run(
      `select proname, prosrc, proacl::text from pg_proc where pronamespace = 'private'::regnamespace order by 1`,
    )
  try {
    const before = await functions()
    await database.run(await readFile(MIGRATION, 'utf8'))
    expect(await functions()).toEqual(before)
  } finally {
    await database.close()
  }
})
