-- The Garage: what each bike was ridden and what it cost, in total and this year. Computed on every call, never stored.

create or replace function public.garage() returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
  with today as materialized (
    select private.today()::timestamp as today
  ), ridden as materialized (
    -- Rides in the future and rides without a date have no month: as in maintenance_use, they only count for the total.
    select rides.gear_id,
      case when coalesce(departed_at, created_at) <= now() then date_trunc('month', started_at) end as month,
      count(*) as rides, sum(distance) as distance, sum(coalesce(moving_time, duration)) as moving_time,
      max(started_at) as last_ride
    from public.rides
    group by 1, 2
  ), usage as (
    select ridden.gear_id, sum(rides) as rides, sum(distance) as distance, sum(moving_time) as moving_time,
      sum(distance) filter (where date_trunc('year', month) = date_trunc('year', today)) as distance_this_year,
      max(last_ride) filter (where month is not null) as last_ride
    from ridden, today
    group by 1
  ), costs as (
    select "bikeId" as gear_id, sum(cost) as cost,
      sum(cost) filter (where date_trunc('year', "dateStarted") = date_trunc('year', today)) as cost_this_year
    from public.maintenance, today
    group by 1
  ), newest_items as (
    select distinct on ("bikeId") "bikeId" as gear_id, json_build_object('name', name, 'dateStarted', "dateStarted") as newest_item
    from public.maintenance
    order by "bikeId", "dateStarted" desc, id desc
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
    order by is_retired, bikes.name, gear_id
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
    'rides_without_bike', (
      select coalesce(sum(rides), 0) from usage
      where not exists (select from public.bikes where bikes.gear_id = usage.gear_id)
    )
  )
  -- Row-level security would show others an empty garage.
  where private.is_owner()
$$;
comment on function public.garage() is
  'The bikes in the order of the Bikes row, with meters, seconds, dollars and the meters of each of the last 24 months, and their totals, as the function garage returns them. Null for anyone but the owner.';

revoke all on function public.garage() from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.garage() to authenticated;
