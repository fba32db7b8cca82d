set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.garage()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with today as materialized (
    select private.today()::timestamp as today
  ), ridden as materialized (
    select gear_id, date_trunc('month', started_at) as month, count(*) as rides, sum(distance) as distance,
      sum(moving_time) as moving_time, max(started_at) as last_ride,
      sum(distance) filter (
        where started_at >= date_trunc('year', today) - interval '1 year' and started_at < today - interval '1 year' + interval '1 day'
      ) as distance_last_year_to_date
    from private.counted_rides cross join today
    group by 1, 2
  ), usage as (
    select ridden.gear_id, sum(rides) as rides, sum(distance) as distance, sum(moving_time) as moving_time,
      sum(distance) filter (where date_trunc('year', month) = date_trunc('year', today)) as distance_this_year,
      sum(distance_last_year_to_date) as distance_last_year_to_date, max(last_ride) as last_ride
    from ridden, today
    group by 1
  ), costs as (
    select "bikeId" as gear_id, sum(cost) as cost,
      sum(cost) filter (
        where date_trunc('year', "dateStarted") = date_trunc('year', today) and "dateStarted" < today + interval '1 day'
      ) as cost_this_year
    from public.maintenance, today
    group by 1
  ), newest_items as (
    select distinct on (gear_id) gear_id, json_build_object('name', name, 'dateStarted', since) as newest_item
    from private.install_periods, today
    where since < today + interval '1 day'
    order by gear_id, since desc, id desc
  ), months as (
    select bikes.gear_id, json_agg(coalesce(ridden.distance, 0) order by start) as months
    from public.bikes
    cross join today
    cross join lateral generate_series(date_trunc('month', today) - interval '23 months', today, '1 month') as start
    left join ridden on ridden.gear_id = bikes.gear_id and month = start
    group by 1
  ), garage as (
    select bikes.gear_id, coalesce(rides, 0) as rides, coalesce(distance, 0) as distance,
      coalesce(moving_time, 0) as moving_time, coalesce(distance_this_year, 0) as distance_this_year,
      coalesce(cost, 0) as cost, coalesce(cost_this_year, 0) as cost_this_year, last_ride, newest_item, months
    from public.bikes
    left join usage using (gear_id)
    left join costs using (gear_id)
    left join newest_items using (gear_id)
    left join months using (gear_id)
    where public.attached_to(bikes) is null
    order by public.list_order(bikes)
  )
  select json_build_object(
    'bikes', (select coalesce(json_agg(garage), '[]') from garage),
    'total', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0),
        'moving_time', coalesce(sum(moving_time), 0), 'distance_this_year', coalesce(sum(distance_this_year), 0),
        'cost', coalesce(sum(cost), 0), 'cost_this_year', coalesce(sum(cost_this_year), 0)
      ) from garage
    ),
    -- Rides without a bike, too.
    'all', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0),
        'distance_this_year', coalesce(sum(distance_this_year), 0),
        'distance_last_year_to_date', coalesce(sum(distance_last_year_to_date), 0)
      ) from usage
    ),
    'rides_without_bike', (
      select coalesce(sum(rides), 0) from usage
      where not exists (select from public.bikes where bikes.gear_id = usage.gear_id)
    )
  )
  -- Row-level security only hides rows, so other users would get an empty garage instead of null.
  where private.is_owner()
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
      else ride_years.gear_id is null or ride.ridden_as = any (private.ridden_as(ride_years.gear_id)) end
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

COMMENT ON FUNCTION "public"."garage"() IS 'Returns the bikes in the order of the Bikes row, with meters, seconds, costs and the meters of each of the last 24 months, their totals, and those of all rides. Null for anyone but the owner.';

COMMENT ON FUNCTION "public"."ride_years"(bigint, boolean) IS 'Adds up rides, meters, seconds and meters of climbing by month and by year, of a bike, of rides without one, or of all rides: {today, months, years, total}. to_date: each year until today''s day. total includes rides without a date. Null for anyone but the owner.';

REVOKE ALL ON FUNCTION "public"."ride_years"(bigint, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."ride_years"(bigint, boolean) TO "authenticated";
