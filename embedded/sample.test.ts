import { expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import { hasFreshRides } from './sample.ts'

test('rides are fresh for an hour after a successful sync', async () => {
  const { sql, close } = await openMigrated()
  const addSync = (outcome: string, age: string) => sql`
    insert into public.ride_syncs (triggered_by, outcome, started_at, finished_at)
    values ('schedule', ${outcome}, now() - ${age}::interval, now())`
  expect(await hasFreshRides(sql)).toBe(false)
  await addSync('ok', '61 minutes')
  await addSync('failed', '1 minute')
  expect(await hasFreshRides(sql)).toBe(false)
  await addSync('ok', '59 minutes')
  expect(await hasFreshRides(sql)).toBe(true)
  await close()
})
