// Compares computing the usage of a bike's items with one plain sum over the same rides.
import { databaseWith, insertRides } from './generated-log.ts'
import { fastest, report } from './measure.ts'

const ROUNDS = 60

const BIKES = `
  insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Twice as many');
  ${bikeWith(1, 10_000, 500)};
  ${bikeWith(2, 20_000, 1000)}`

// 450 of the bike's 500 items are install periods of 60 parts. Each part has 30 periods, spread over this bike and three others
// with fewer rides.
const SHARED_PARTS = `
  insert into public.bikes (gear_id, name) values (10, 'Road'), (11, 'Gravel'), (12, 'Commuter'), (13, 'Trail');
  ${[insertRides(10_000, 10), insertRides(3000, 11), insertRides(3000, 12), insertRides(3000, 13)].join(';')};
  insert into public.parts (id) select 900000 + part from generate_series(1, 60) as part;
  insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded")
  select 10 + (part + period) % 4, 900000 + part, 'Part ' || part, start, case when period < 29 then start + interval '240 days' end
  from generate_series(1, 60) as part, generate_series(0, 29) as period, lateral (
    select '2004-01-01 01:00:00'::timestamp + period * interval '240 days' + part * interval '1 day' as start
  ) as periods;
  insert into public.maintenance ("bikeId", name, "dateStarted", "dateEnded")
  select 10, 'Item ' || n, '2004-01-01 01:00:00'::timestamp + n * interval '18 years' / 50,
    '2006-01-01 01:00:00'::timestamp + n * interval '18 years' / 50
  from generate_series(1, 50) as n`

function bikeWith(bike: number, rides: number, items: number): string {
  return `
    ${insertRides(rides, bike)};
    insert into public.maintenance ("bikeId", name, "dateStarted", "dateEnded")
    select ${bike}, 'Item ' || n, '2004-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items},
      case when n % 9 > 0 then '2006-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items} end
    from generate_series(1, ${items}) as n`
}

export async function usage(): Promise<void> {
  console.log('\nUsage: 10,000 rides, 500 items of one bike')
  await using database = await databaseWith(`${BIKES}; ${SHARED_PARTS}`)
  const running = (sql: string) => ({ work: () => database.run(sql) })
  const [sum, items, all, twice, sumOfFour, shared] = await fastest(ROUNDS, [
    running('select sum(distance), sum(moving_time) from public.rides where gear_id = 1'),
    running(
      'select json_agg(used) from private.sum_rides(array(select (id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from public.maintenance where "bikeId" = 1)) as used',
    ),
    running('select public.maintenance_use(1)'),
    running('select public.maintenance_use(2)'),
    running(
      `select ${[10, 11, 12, 13].map((bike) => `(select sum(distance) + sum(moving_time) from public.rides where gear_id = ${bike})`).join()}`,
    ),
    running('select public.maintenance_use(10)'),
  ])
  report('plain sum over the rides', sum!, 'ms')
  report('usage of every item', items!, 'ms')
  report('  against the plain sum', items! / sum!, '×', 4)
  report('usage of every item and part', all!, 'ms')
  report('  against the plain sum', all! / sum!, '×', 8)
  report('  with twice the rides and items', twice! / all!, '×', 2.3)
  report('usage of 500 items and of 60 parts with 30 periods on four bikes', shared!, 'ms')
  report('  against the plain sum over the rides of the four bikes', shared! / sumOfFour!, '×', 8)
}
