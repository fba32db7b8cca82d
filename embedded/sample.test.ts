import { expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import { hasFreshRides } from './sample.ts'

test('rides are fresh for an hour if the last sync succeeded', async () => {
  const database = await openMigrated()
  const { sql } = database
  const isFreshAfter = async (outcome: string, age: string) => {
    await sql`
      insert into public.ride_syncs (triggered_by, outcome, started_at, finished_at)
      values ('schedule', ${outcome}, now() - ${age}::interval, now())`
    return hasFreshRides(sql)
  }
  expect(await hasFreshRides(sql)).toBe(false)
  expect(await isFreshAfter('ok', '61 minutes')).toBe(false)
  expect(await isFreshAfter('ok', '59 minutes')).toBe(true)
  expect(await isFreshAfter('interrupted', '58 minutes')).toBe(false)
  expect(await isFreshAfter('ok', '1 minute')).toBe(true)
  await database.close()
})
