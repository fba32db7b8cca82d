// Compares To check with one plain sum over the same rides.
import { SIGN_IN_OWNER } from '../tests/database/databases.ts'
import { BIKES, compareWithSum, INSERT_BIKES, statement } from './generated-log.ts'

// Every fifth ride is indoors, every hundredth has an implausible speed, and each item leaves a gap or overlaps its successor.
const logWith = (rides: number, items: number) => `
  ${SIGN_IN_OWNER};
  ${INSERT_BIKES};
  insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time, max_speed, is_stationary, name)
  select n, case when n % 50 > 0 then 1 + n % ${BIKES} end, '2004-01-01'::timestamptz + n / 40 * 40 * interval '20 years' / ${rides} + n % 40 * interval '2 hours',
    now(), 'America/Los_Angeles', 20000 + n % 7000 + 0.1, 4000 + n % 999, 3600 + n % 999, 40 + n % 60 + 90 / (1 + n % 100), n % 5 = 0, 'Ride ' || n
  from generate_series(1, ${rides}) as n;
  insert into public.maintenance ("bikeId", type, name, "dateStarted", "dateEnded")
  select 1 + n % ${BIKES}, 'Drivetrain', (array['Chain', 'Cassette', 'Front tire', 'Rear tire', 'Saddle'])[1 + n / ${BIKES} % 5] || ' ' || n,
    since, since + (15 + n % 10) * interval '20 years' / ${items}
  from (
    select n, '2004-01-01 01:00:00'::timestamp + n * interval '20 years' / ${items} as since from generate_series(1, ${items}) as n
  ) as installed`

export async function toCheck(): Promise<void> {
  console.log(`\nTo check: 10,000 rides, 500 items on ${BIKES} bikes`)
  await compareWithSum(logWith, 500, [
    {
      name: 'rides and log entries to check',
      run: statement('select public.to_check()'),
      limit: 60,
      doubled: 2.3,
    },
  ])
}
