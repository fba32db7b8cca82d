// Generated logs, and the shape of benchmarks that compare SQL functions with a plain sum over the same rides.
import { openMigratedDatabase, type TestDatabase } from '../tests/database/databases.ts'
import { fastest, report } from './measure.ts'

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

export async function databaseWith(statements: string): Promise<AsyncDisposable & TestDatabase> {
  const database = await openMigratedDatabase()
  await database.run(`${statements}; analyze`)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

const RIDES = 10_000
const ROUNDS = 60
const PLAIN_SUM = 'select sum(distance), sum(moving_time) from public.rides'

interface Compared {
  name: string
  run: (database: TestDatabase) => Promise<unknown>
  /** Times the plain sum. */
  limit: number
  /** Limit for twice the rides and items, times the same with once as many. */
  doubled?: number
}

/** Compares queries with a plain sum over the rides of a log with `items` items, and some with a log of twice the size. */
export async function compareWithSum(
  logWith: (rides: number, items: number) => string,
  items: number,
  queries: Compared[],
  plainSum = PLAIN_SUM,
): Promise<void> {
  await using once = await databaseWith(logWith(RIDES, items))
  await using twice = await databaseWith(logWith(2 * RIDES, 2 * items))
  const growing = queries.filter(({ doubled }) => doubled !== undefined)
  const [sum, ...times] = await fastest(ROUNDS, [
    { work: () => once.run(plainSum) },
    ...queries.map(({ run }) => ({ work: () => run(once) })),
    ...growing.map(({ run }) => ({ work: () => run(twice) })),
  ])
  report('plain sum over the rides', sum!, 'ms')
  for (const [index, query] of queries.entries()) {
    const time = times[index]!
    report(query.name, time, 'ms')
    report('  against the plain sum', time / sum!, '×', query.limit)
    if (query.doubled === undefined) continue
    const time2 = times[queries.length + growing.indexOf(query)]!
    report('  with twice the rides and items', time2 / time, '×', query.doubled)
  }
}

/** Runs a statement in any database. */
export const statement = (sql: string) => (database: TestDatabase) => database.run(sql)
