// Compares SQL functions with a plain sum over the same rides, in logs that span 20 years.
import { HISTORY_DAYS } from '../supabase/functions/_shared/service/forecast.ts'
import type { ForecastTask, RideDays } from '../supabase/functions/_shared/contracts/service-tasks.ts'
import { withForecasts } from '../supabase/functions/_shared/service/task-forecasts.ts'
import { openMigratedDatabase, SIGN_IN_OWNER, type TestDatabase } from '../tests/database/databases.ts'
import { fastest, report } from './measure.ts'

const RIDES = 10_000
const ITEMS = 500
const TASKS = 60
const ROUNDS = 60
const BIKES = 4
const INSERT_BIKES = `
  insert into public.bikes (gear_id, name) select n, 'Bike ' || n from generate_series(1, ${BIKES}) as n`
const PLAIN_SUM = 'select sum(distance), sum(moving_time) from public.rides'

/** Inserts rides on one bike, or on each of the bikes in turn. */
function insertRides(count: number, bike?: number): string {
  const ids = bike === undefined ? `n, 1 + n % ${BIKES}` : `${bike} * 1000000 + n, ${bike}`
  return `
    insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, moving_time)
    select ${ids}, '2004-01-01'::timestamptz + n * interval '20 years' / ${count}, now(),
      'America/Los_Angeles', 20000 + n % 7000 + 0.1, 3600 + n % 999
    from generate_series(1, ${count}) as n`
}

/** Inserts items that start one after another and last two years. Every `running`th has no end. */
const insertItems = (bike: string, count: number, running: number, more = '', values = '') => `
  insert into public.maintenance ("bikeId", name, "dateStarted", "dateEnded"${more})
  select ${bike}, 'Part ' || n % 40, '2004-01-01 01:00:00'::timestamp + n * interval '18 years' / ${count},
    case when n % ${running} > 0 then '2006-01-01 01:00:00'::timestamp + n * interval '18 years' / ${count} end${values}
  from generate_series(1, ${count}) as n`

interface Compared {
  name: string
  run: string | ((database: TestDatabase) => Promise<unknown>)
  /** Times the plain sum. */
  limit: number
  /** Limit for twice the rides and items, times the same with once as many. */
  doubled?: number
}

async function databaseWith(statements: string): Promise<AsyncDisposable & TestDatabase> {
  const database = await openMigratedDatabase()
  await database.run(`${statements}; analyze`)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

/** Compares queries with a plain sum over the rides of a log with `items` items, and some with a log of twice the size. */
async function compareWithSum(
  title: string,
  logWith: (rides: number, items: number) => string,
  items: number,
  queries: Compared[],
  plainSum = PLAIN_SUM,
): Promise<void> {
  console.log(`\n${title}`)
  await using once = await databaseWith(logWith(RIDES, items))
  await using twice = await databaseWith(logWith(2 * RIDES, 2 * items))
  const work = (run: Compared['run'], database: TestDatabase) => ({
    work: () => (typeof run === 'string' ? database.run(run) : run(database)),
  })
  const growing = queries.filter(({ doubled }) => doubled !== undefined)
  const [sum, ...times] = await fastest(ROUNDS, [
    work(plainSum, once),
    ...queries.map(({ run }) => work(run, once)),
    ...growing.map(({ run }) => work(run, twice)),
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

const ITEM_USAGE = `
  select json_agg(used) from private.sum_rides(array(
    select (id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from public.maintenance)) as used`

// 450 of bike 1's 500 items are install periods of 60 parts. Each part has 30 periods, spread over this bike and three others with
// fewer rides.
const sharedParts = (rides: number, items: number) => `
  ${INSERT_BIKES};
  ${[rides, 3000, 3000, 3000].map((count, index) => insertRides(count, index + 1)).join(';')};
  insert into public.parts (id) select 900000 + part from generate_series(1, 60) as part;
  insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded")
  select 1 + (part + period) % ${BIKES}, 900000 + part, 'Part ' || part, start, case when period < 29 then start + interval '240 days' end
  from generate_series(1, 60) as part, generate_series(0, 29) as period, lateral (
    select '2004-01-01 01:00:00'::timestamp + period * interval '240 days' + part * interval '1 day' as start
  ) as periods;
  ${insertItems('1', items / 10, items)}`

// Most rides are on another bike.
const oneBike = (rides: number, items: number) =>
  `${INSERT_BIKES}; ${insertRides(rides, 1)}; ${insertRides(3 * rides, 2)}; ${insertItems('1', items, 9)}`

export async function usage(): Promise<void> {
  const all = { name: 'usage of every item and part', run: 'select public.maintenance_use(1)', limit: 8 }
  const queries = [
    { name: 'usage of every item', run: ITEM_USAGE, limit: 4 },
    { ...all, doubled: 2.3 },
  ]
  await compareWithSum('Usage: 10,000 rides, 500 items of one bike', oneBike, ITEMS, queries, sumOf(1))
  const title = 'The same, and 60 parts with 30 periods on four bikes'
  await compareWithSum(title, sharedParts, ITEMS, [all], sumOf(1, 2, 3, 4))
}

/** Adds up each bike's rides, as usage does. */
const sumOf = (...bikes: number[]) =>
  `select ${bikes.map((bike) => `(select sum(distance) + sum(moving_time) from public.rides where gear_id = ${bike})`).join()}`

// Each part has three install periods on different bikes, and two tasks. Half of the tasks were never done, so every ride counts.
export function serviceLog(rides = RIDES, tasks = TASKS): string {
  return `
    ${INSERT_BIKES};
    ${insertRides(rides)};
    insert into public.parts select n from generate_series(1, ${tasks / 2}) as n;
    insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded")
    select 1 + (n + period) % ${BIKES}, n, 'Part ' || n,
      '2004-01-01 01:00:00'::timestamp + period * interval '6 years' + n * interval '7 days',
      case when period < 2 then '2009-01-01 01:00:00'::timestamp + period * interval '6 years' + n * interval '7 days' end
    from generate_series(1, ${tasks / 2}) as n, generate_series(0, 2) as period;
    insert into public.service_tasks (part_id, name, every_distance, every_days)
    select 1 + n % ${tasks / 2}, 'Task ' || n, 500000 + n, 90 from generate_series(1, ${tasks}) as n;
    insert into public.service_events (task_id, part_id, done_at)
    select id, part_id, '2019-01-01 01:00:00'::timestamp + id * interval '3 days' from public.service_tasks where id % 2 = 0`
}

// The rides end today, and the tasks are due in one to ten months, so each task needs a forecast for its own distance.
const recentServiceLog = (rides: number, tasks: number) => `
  ${serviceLog(rides, tasks)};
  update public.rides set departed_at = now() - id * interval '20 years' / ${rides};
  update public.service_tasks set every_distance = 200000 + id * 45000, every_days = null;
  delete from public.service_events;
  insert into public.service_events (task_id, part_id, done_at)
  select id, part_id, (now() - id * interval '1 day')::timestamp from public.service_tasks`

/** Does the same work as `service-due`: reads due tasks and daily rides, then forecasts. */
async function forecasts(database: TestDatabase): Promise<ForecastTask[]> {
  const [[due], [days]] = (await database.run(
    `select public.service_due() as tasks; select public.ride_days(${HISTORY_DAYS}) as days`,
  )) as [[{ tasks: { tasks: ForecastTask[] } }], [{ days: RideDays }]]
  return withForecasts(due.tasks.tasks, days.days)
}

export async function service(): Promise<void> {
  await compareWithSum(`Service: 10,000 rides, ${TASKS} tasks on ${BIKES} bikes`, serviceLog, TASKS, [
    { name: 'due tasks', run: 'select public.service_due()', limit: 3.5, doubled: 2.3 },
  ])
  const title = 'Forecasts: the same rides, and tasks that are due in one to ten months'
  await compareWithSum(title, recentServiceLog, TASKS, [
    { name: 'due tasks with forecasts', run: forecasts, limit: 8 },
  ])
}

export async function lifetimes(): Promise<void> {
  const logWith = (rides: number, items: number) => `
    ${SIGN_IN_OWNER}; ${INSERT_BIKES}; ${insertRides(rides)};
    ${insertItems(`1 + n % ${BIKES}`, items, 5, ', type, cost', `, 'Drivetrain', 30 + n % 9`)}`
  const title = `Lifetimes and spending: 10,000 rides, 500 items on ${BIKES} bikes`
  const queries = [
    // Also adds up each part's items.
    { name: 'lifetimes', run: 'select public.part_lifetimes()', limit: 4.5, doubled: 2.3 },
    { name: 'spending', run: 'select public.spending()', limit: 4 },
  ]
  // Sums the rides that count: past rides on the owner's bikes.
  const sumOfCounted = `
    select sum(distance), sum(coalesce(moving_time, duration)) from public.rides
    where gear_id in (select gear_id from public.bikes) and coalesce(departed_at, created_at) <= now()`
  await compareWithSum(title, logWith, ITEMS, queries, sumOfCounted)
}

export async function toCheck(): Promise<void> {
  // Every fifth ride is indoors, every hundredth has an implausible speed, and each item leaves a gap or overlaps its successor.
  const logWith = (rides: number, items: number) => `
    ${SIGN_IN_OWNER}; ${INSERT_BIKES};
    insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time, max_speed, is_stationary, name)
    select n, case when n % 50 > 0 then 1 + n % ${BIKES} end, '2004-01-01'::timestamptz + n / 40 * 40 * interval '20 years' / ${rides} + n % 40 * interval '2 hours',
      now(), 'America/Los_Angeles', 20000 + n % 7000 + 0.1, 4000 + n % 999, 3600 + n % 999, 40 + n % 60 + 90 / (1 + n % 100), n % 5 = 0, 'Ride ' || n
    from generate_series(1, ${rides}) as n;
    insert into public.maintenance ("bikeId", type, name, "dateStarted", "dateEnded")
    select 1 + n % ${BIKES}, 'Drivetrain', (array['Chain', 'Cassette', 'Front tire', 'Rear tire', 'Saddle'])[1 + n / ${BIKES} % 5] || ' ' || n,
      since, since + (15 + n % 10) * interval '20 years' / ${items}
    from (
      select n, '2004-01-01 01:00:00'::timestamp + n * interval '20 years' / ${items} as since from generate_series(1, ${items}) as n
    ) as installed;
    update public.parts set kind = case when name like '%tire%' then 'tire' else lower(split_part(name, ' ', 1)) end
    from public.maintenance where part_id = parts.id;
    update public.maintenance set position = lower(split_part(name, ' ', 1)) where name like '%tire%'`
  await compareWithSum(`To check: 10,000 rides, 500 items on ${BIKES} bikes`, logWith, ITEMS, [
    { name: 'rides and log entries to check', run: 'select public.to_check()', limit: 20, doubled: 2.3 },
  ])
}
