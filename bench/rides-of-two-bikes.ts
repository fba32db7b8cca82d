// Two bikes, one with a long life of riding and one with a short one.
export const LONG = { gear: 1, name: 'Everyday' }
export const SHORT = { gear: 2, name: 'Sunday' }

/** Statements that insert the bikes, with that many rides on the long-lived one and a few on the other. */
export const ridesOfTwoBikes = (count: number) => `
  insert into public.bikes values (${LONG.gear}, '${LONG.name}'), (${SHORT.gear}, '${SHORT.name}');
  ${rides(LONG.gear, count)};
  ${rides(SHORT.gear, 20)}`

const rides = (gear: number, count: number) => `
  insert into public.rides (id, name, gear_id, created_at, departed_at, time_zone, distance, duration, moving_time,
    max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, has_map)
  select ${gear} * 1000000 + n,
    (array['Morning Ride', 'Evening Ride', 'Coffee and hills', 'Über den Gotthard', 'To work', 'Ride'])[1 + n % 6] || ' ' || n * 7919 % ${count},
    ${gear}, now() - n * interval '8 hours', now() - n * interval '8 hours', 'America/Los_Angeles',
    5000 + n * 7919 % 90000 + 0.1, 1200 + n * 31 % 15000, 1000 + n * 31 % 12000, 30 + n % 40, 15 + n % 20,
    case when n % 5 > 0 then 110 + n % 50 end, case when n % 5 > 0 then 150 + n % 40 end, 120 + n % 100,
    case when n % 3 > 0 then 300 + n % 500 end, case when n % 4 > 0 then 70 + n % 25 end, n * 13 % 1500, n % 8 > 0
  from generate_series(1, ${count}) as n`
