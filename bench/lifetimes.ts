// Compares lifetimes and spending with one plain sum over the same rides.
import { SIGN_IN_OWNER } from '../tests/database/databases.ts'
import { BIKES, databaseWith, INSERT_BIKES, insertRides } from './generated-log.ts'
import { fastest, report } from './measure.ts'

const ROUNDS = 60

const logWith = (rides: number, items: number) => `
  ${SIGN_IN_OWNER};
  ${INSERT_BIKES};
  ${insertRides(rides)};
  insert into public.maintenance ("bikeId", type, name, cost, "dateStarted", "dateEnded")
  select 1 + n % ${BIKES}, 'Drivetrain', 'Part ' || n % 40, 30 + n % 9,
    '2004-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items},
    case when n % 5 > 0 then '2006-01-01 01:00:00'::timestamp + n * interval '18 years' / ${items} end
  from generate_series(1, ${items}) as n`

/** Sums the rides that count: past rides on the owner's bikes. */
const PLAIN_SUM = `
  select sum(distance), sum(coalesce(moving_time, duration)) from public.rides
  where gear_id in (select gear_id from public.bikes) and coalesce(departed_at, created_at) <= now()`

export async function lifetimes(): Promise<void> {
  console.log(`\nLifetimes and spending: 10,000 rides, 500 items on ${BIKES} bikes`)
  const [once, twice] = [await databaseWith(logWith(10_000, 500)), await databaseWith(logWith(20_000, 1000))]
  try {
    const [every, sum, lasted, lastedTwice, spent] = await fastest(ROUNDS, [
      { work: () => once.run('select sum(distance), sum(moving_time) from public.rides') },
      { work: () => once.run(PLAIN_SUM) },
      { work: () => once.run('select public.part_lifetimes()') },
      { work: () => twice.run('select public.part_lifetimes()') },
      { work: () => once.run('select public.spending()') },
    ])
    report('plain sum over the rides that count', sum!, 'ms')
    report('lifetimes', lasted!, 'ms')
    report('  against the plain sum', lasted! / sum!, '×', 4)
    report('  against a sum over the table, without looking at bikes and dates', lasted! / every!, '×')
    report('  with twice the rides and items', lastedTwice! / lasted!, '×', 2.3)
    report('spending', spent!, 'ms')
    report('  against the plain sum', spent! / sum!, '×', 4)
    report('  against a sum over the table, without looking at bikes and dates', spent! / every!, '×')
  } finally {
    await once.close()
    await twice.close()
  }
}
