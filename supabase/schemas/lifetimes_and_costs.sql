-- Each item's usage and cost, computed on every call and never stored. The edge functions part-lifetimes and spending turn
-- them into lifetimes, medians and forecasts.

-- PL/pgSQL, because it caches plans.
create function public.part_lifetimes(what_if jsonb default '[]') returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes longer than running them.
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  -- Row-level security only hides rows, so other users would get empty lists instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with totals as materialized (
      select * from private.part_totals(array(select id from public.parts), what_if => what_if)
    ), items as (
      select id, totals.part_id, used.gear_id, type, name, item."position", used.cost, used.since,
        case when used.until <= clock or used.until = used.since then used.until end as until,
        case when used.until <= clock or used.until = used.since then ended_as end as ended_as,
        -- Applies the rule of private.install_periods to what-if dates: a part counts as installed from the start of its
        -- first day.
        used.since <> used.until and used.since::date <= clock::date as was_installed
      from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    )
    select json_build_object(
      -- One array per column is faster than one object per row, and half the size.
      'items', (select json_build_object(
        'id', coalesce(array_agg(id), '{}'),
        'part_id', coalesce(array_agg(part_id), '{}'),
        'gear_id', coalesce(array_agg(gear_id), '{}'),
        'type', coalesce(array_agg(type), '{}'),
        'name', coalesce(array_agg(name), '{}'),
        'position', coalesce(array_agg("position"), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'since', coalesce(array_agg(since), '{}'),
        'until', coalesce(array_agg(until), '{}'),
        'ended_as', coalesce(array_agg(ended_as), '{}'),
        'was_installed', coalesce(array_agg(was_installed), '{}')
      ) from items),
      'parts', (select json_build_object(
        'part_id', coalesce(array_agg(part_id), '{}'),
        'rides', coalesce(array_agg(rides), '{}'),
        'distance', coalesce(array_agg(distance), '{}'),
        'moving_time', coalesce(array_agg(moving_time), '{}'),
        'days', coalesce(array_agg(days), '{}'),
        'price', coalesce(array_agg(price), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'earlier_distance', coalesce(array_agg(earlier_distance), '{}'),
        'earlier_moving_time', coalesce(array_agg(earlier_moving_time), '{}'),
        'kind', coalesce(array_agg(kind), '{}'),
        'by_position', coalesce(array_agg(by_position), '{}')
      ) from totals)
    )
  );
end
$$;
comment on function public.part_lifetimes(jsonb) is
  'Returns {items, parts}, each one array per column: the items with their dates and costs, and whether each was installed (false for work and planned parts), and the parts with private.part_totals. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items. Null for anyone but the owner.';
-- Security invoker, here and below, so row-level security applies.
grant execute on function public.part_lifetimes to authenticated;

create function public.spending(from_day date default null, to_day date default null) returns json
language plpgsql stable security invoker set search_path = ''
-- Planning the query takes as long as running it.
set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  today constant date := private.today();
  since constant timestamp := coalesce(from_day, '-infinity');
  until constant timestamp := coalesce(to_day + 1, 'infinity');
  is_all constant boolean := num_nonnulls(from_day, to_day) = 0;
  -- 365 days, today included.
  year_ago constant timestamp := today - 364;
begin
  if not private.is_owner() then
    return null;
  end if;

  return (
    with costs as materialized (
      select "dateStarted"::date as day, "bikeId" as gear_id, type, cost from public.maintenance where cost <> 0
    ), months as (
      select to_char(day, 'YYYY-MM') as month, gear_id, type, sum(cost) as cost from costs group by 1, 2, 3
    ), ridden as materialized (
      -- Without a period, rides without a date count, too.
      select gear_id, sum(distance) filter (where is_all or started_at >= since and started_at < until) as distance,
        sum(moving_time) filter (where is_all or started_at >= since and started_at < until) as moving_time,
        sum(distance) filter (where started_at >= year_ago) as distance_of_year
      from private.counted_rides
      group by 1
    ), spent as materialized (
      select gear_id, type, cost from costs where day >= since and day < until
    ), bikes as materialized (
      select bikes.gear_id, coalesce((select sum(cost) from spent where spent.gear_id = bikes.gear_id), 0) as cost,
        coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time,
        coalesce(distance_of_year, 0) as distance_of_year
      from private.listed_bikes as bikes left join ridden using (gear_id)
      order by index
    ), types as (
      select type, sum(cost) as cost from spent group by 1
    )
    select json_build_object(
      'today', today,
      'months', (select coalesce(json_agg(months order by month, gear_id, type), '[]') from months),
      'income', (
        select coalesce(json_agg(income order by month, gear_id), '[]')
        from (select to_char(sold_on, 'YYYY-MM') as month, gear_id, sold_for as amount from public.bike_details where sold_for > 0) as income
      ),
      'this_year', (
        select coalesce(sum(cost), 0) from costs where day >= date_trunc('year', today) and day <= today
      ),
      'last_year_to_date', (
        select coalesce(sum(cost), 0) from costs
        where day >= date_trunc('year', today) - interval '1 year' and day <= today - interval '1 year'
      ),
      'bikes', (select coalesce(json_agg(bikes), '[]') from bikes),
      'types', (select coalesce(json_agg(types order by cost desc, type), '[]') from types),
      'total', (
        select json_build_object(
          'cost', coalesce(sum(cost), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0)
        ) from bikes
      )
    )
  );
end
$$;
comment on function public.spending(date, date) is
  'Returns costs by month, bike and type; what bikes were sold for, by month; costs this year until today, and last year until the same day; and for a period, dollars by type, and dollars, meters and seconds by bike. Without a period, rides without a date count, too. distance_of_year covers the last 365 days, today included. Null for anyone but the owner.';
grant execute on function public.spending to authenticated;

create function private.cost_months(from_day date default null, to_day date default null) returns table (month text, cost numeric)
language sql stable security invoker set search_path = ''
as $$
  select to_char("dateStarted", 'YYYY-MM'), sum(item.cost) from public.maintenance as item
  where item.cost <> 0 and (from_day is null or "dateStarted" >= from_day) and (to_day is null or "dateStarted" < to_day + 1)
  group by 1
$$;
comment on function private.cost_months(date, date) is 'Adds up the costs of the log by month, in a period.';
grant execute on function private.cost_months to authenticated;

create function public.garage() returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
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
    from private.listed_bikes as bikes
    left join usage using (gear_id)
    left join costs using (gear_id)
    left join newest_items using (gear_id)
    left join months using (gear_id)
    order by index
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
$$;
comment on function public.garage() is
  'Returns the bikes in the order of the Bikes row, with meters, seconds, costs and the meters of each of the last 24 months, their totals, and those of all rides. Null for anyone but the owner.';
grant execute on function public.garage to authenticated;
