// SQL for the bikes and rides of benchmarks that call SQL functions.
import { openMigratedDatabase, type TestDatabase } from '../tests/database/databases.ts'

export const BIKES = 4

export const INSERT_BIKES = `
  insert into public.bikes (gear_id, name) select n, 'Bike ' || n from generate_series(1, ${BIKES}) as n`

/** Inserts rides over 20 years, on one bike or on each of the bikes in turn. */
export function insertRides(count: number, bike?: number): string {
  const ids = bike === undefined ? `n, 1 + n % ${BIKES}` : `${bike} * 1000000 + n, ${bike}`
  return `
    insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, moving_time)
    select ${ids}, '2004-01-01'::timestamptz + n * interval '20 years' / ${count}, now(),
      'America/Los_Angeles', 20000 + n % 7000 + 0.1, 3600 + n % 999
    from generate_series(1, ${count}) as n`
}

export async function databaseWith(statements: string): Promise<TestDatabase> {
  const database = await openMigratedDatabase()
  await database.run(`${statements}; analyze`)
  return database
}
