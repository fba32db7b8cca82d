// Compares lifetimes and spending with one plain sum over the same rides.
import { SIGN_IN_OWNER } from '../tests/database/databases.ts'
import { BIKES, compareWithSum, INSERT_BIKES, insertRides, statement } from './generated-log.ts'

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
const SUM_OF_COUNTED_RIDES = `
  select sum(distance), sum(coalesce(moving_time, duration)) from public.rides
  where gear_id in (select gear_id from public.bikes) and coalesce(departed_at, created_at) <= now()`

export async function lifetimes(): Promise<void> {
  console.log(`\nLifetimes and spending: 10,000 rides, 500 items on ${BIKES} bikes`)
  const queries = [
    // Also adds up each part's items.
    { name: 'lifetimes', run: statement('select public.part_lifetimes()'), limit: 4.5, doubled: 2.3 },
    { name: 'spending', run: statement('select public.spending()'), limit: 4 },
  ]
  await compareWithSum(logWith, 500, queries, SUM_OF_COUNTED_RIDES)
}
