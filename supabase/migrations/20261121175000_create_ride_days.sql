-- What each bike was ridden on each day, for forecasts.

-- One list per column and ride, because adding up the days and sorting them here takes twice as long as reading the rides.
create or replace function public.ride_days(days integer, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  -- Reads the owner's clock once.
  with clock as materialized (select private.today() as today),
  bikes as (
    select ride.gear_id,
      -- A ride in a time zone ahead of the owner's counts for today, too.
      array_agg(greatest((select today from clock) - ride.started_at::date, 0)) as ago,
      array_agg(coalesce(ride.distance, 0)::integer) as distance,
      array_agg(coalesce(ride.moving_time, ride.duration, 0)) as moving_time
    from public.rides as ride
    where (ride_days.gear_id is null or ride.gear_id = ride_days.gear_id) and ride.gear_id is not null
      and ride.started_at >= (select today from clock) - (ride_days.days - 1)
      and coalesce(ride.departed_at, ride.created_at) <= now()
    group by ride.gear_id
  )
  select json_build_object(
    'today', (select today from clock), 'bikes', coalesce((select json_agg(bikes order by gear_id) from bikes), '[]')
  )
$$;
comment on function public.ride_days(integer, bigint) is
  'For each bike, the rides of the last days in no particular order: how many days ago, meters and seconds; and today in the owner''s time zone. Usage counts the same rides.';

revoke all on function public.ride_days(integer, bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.ride_days(integer, bigint) to authenticated;
