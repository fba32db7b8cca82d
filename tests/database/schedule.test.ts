import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openPglite, openPostgres, serverUrl, type TestDatabase } from './databases.ts'

const MIGRATION = new URL(
  '../../supabase/migrations/20261120090700_schedule_ride_refresh.sql',
  import.meta.url,
)

const databases: [string, () => Promise<TestDatabase>][] = [['PGlite', openPglite]]
if (serverUrl) databases.push(['PostgreSQL', () => openPostgres(serverUrl!)])

test.each(databases)('on %s the schedule can be run again, and changes nothing then', async (_, open) => {
  const database = await open()
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
