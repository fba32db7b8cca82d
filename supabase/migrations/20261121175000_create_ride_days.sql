-- What each bike was ridden on each day, for forecasts.

create or replace function public.ride_days(days integer, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  -- Scalar subqueries, so the owner's clock is read once.
  with clock as materialized (select private.today() as today),
  by_day as (
    select ride.gear_id,
      -- A ride in a time zone ahead of the owner's counts for today, too.
      greatest((select today from clock) - ride.started_at::date, 0) as ago,
      sum(coalesce(ride.distance, 0)) as distance, sum(coalesce(ride.moving_time, ride.duration, 0)) as moving_time
    from public.rides as ride
    where (ride_days.gear_id is null or ride.gear_id = ride_days.gear_id) and ride.gear_id is not null
      and ride.started_at >= (select today from clock) - ride_days.days
      and coalesce(ride.departed_at, ride.created_at) <= now()
    group by 1, 2
  ), bikes as (
    select gear_id, json_agg(ago order by ago desc) as ago,
      json_agg(round(distance) order by ago desc) as distance, json_agg(moving_time order by ago desc) as moving_time
    from by_day group by gear_id
  )
  select json_build_object(
    'today', (select today from clock), 'bikes', coalesce((select json_agg(bikes order by gear_id) from bikes), '[]')
  )
$$;
comment on function public.ride_days(integer, bigint) is
  'Meters and seconds per bike and day of the last days, the oldest first, and today in the owner''s time zone. Usage counts the same rides.';

revoke all on function public.ride_days(integer, bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.ride_days(integer, bigint) to authenticated;
