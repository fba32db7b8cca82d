set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.ride_months(gear_id bigint DEFAULT NULL::bigint, from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
 RETURNS TABLE(month text, rides bigint, distance numeric, moving_time bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select to_char(ride.started_at, 'YYYY-MM'), count(*), coalesce(sum(ride.distance), 0), coalesce(sum(ride.moving_time), 0)
  from private.counted_rides as ride
  -- In a subquery, to ask once, not for every ride.
  where (ride_months.gear_id is null or ride.ridden_as = any ((select private.ridden_as(ride_months.gear_id))::bigint[]))
    and (from_day is null or started_at >= from_day) and (to_day is null or started_at < to_day + 1)
  group by 1 order by 1
$function$;

CREATE OR REPLACE FUNCTION public.ride_days(days integer, gear_id bigint DEFAULT NULL::bigint)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today constant date := private.today();
  carried constant bigint[] := private.ridden_as(ride_days.gear_id);
begin
  return (
    with bikes as (
      select ride.gear_id, ride.is_stationary,
        -- A ride in a time zone ahead of the owner's may be dated tomorrow. Count it for today.
        array_agg(greatest(today - ride.started_at::date, 0)) as ago,
        array_agg(coalesce(ride.distance, 0)::integer) as distance,
        array_agg(coalesce(ride.moving_time, 0)) as moving_time
      from private.counted_rides as ride
      -- The first condition leaves out most rides.
      where ride.started_at >= today - (ride_days.days - 1) and ride.gear_id is not null
        and (ride_days.gear_id is null or ride.ridden_as = any (carried))
      group by ride.gear_id, ride.is_stationary
    )
    select json_build_object('today', today, 'bikes', coalesce(json_agg(bikes order by bikes.gear_id, is_stationary), '[]')) from bikes
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.ride_years(gear_id bigint DEFAULT NULL::bigint, without_bike boolean DEFAULT false)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with today as materialized (
    select private.today() as today
  ), ridden as materialized (
    select ride.started_at, ride.distance, ride.moving_time, stored.elevation_gain,
      -- Rides of this year may be dated tomorrow, where it is tomorrow already.
      ride.started_at >= date_trunc('year', today) or to_char(ride.started_at, 'MM-DD') <= to_char(today, 'MM-DD') as is_by_today
    from private.counted_rides as ride join public.rides as stored using (id) cross join today
    where case
      when without_bike then not exists (select from public.bikes where bikes.gear_id = ride.gear_id)
      -- In a subquery, to ask once, not for every ride.
      else ride_years.gear_id is null or ride.ridden_as = any ((select private.ridden_as(ride_years.gear_id))::bigint[]) end
  ), months as (
    select to_char(started_at, 'YYYY-MM') as month, count(*) as rides, coalesce(sum(distance), 0) as distance,
      coalesce(sum(moving_time), 0) as moving_time, coalesce(sum(elevation_gain), 0) as elevation_gain
    from ridden where started_at is not null group by 1
  ), years as (
    select to_char(started_at, 'YYYY') as year, count(*) as rides, coalesce(sum(distance), 0) as distance,
      coalesce(sum(moving_time), 0) as moving_time, coalesce(sum(elevation_gain), 0) as elevation_gain,
      json_build_object(
        'rides', count(*) filter (where is_by_today), 'distance', coalesce(sum(distance) filter (where is_by_today), 0),
        'moving_time', coalesce(sum(moving_time) filter (where is_by_today), 0),
        'elevation_gain', coalesce(sum(elevation_gain) filter (where is_by_today), 0)
      ) as to_date
    from ridden where started_at is not null group by 1
  )
  select json_build_object(
    'today', (select today from today),
    'months', (select coalesce(json_agg(months order by month), '[]') from months),
    'years', (select coalesce(json_agg(years order by year desc), '[]') from years),
    'total', (
      select json_build_object(
        'rides', count(*), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0),
        'elevation_gain', coalesce(sum(elevation_gain), 0)
      ) from ridden
    )
  )
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  where private.is_owner()
$function$;
