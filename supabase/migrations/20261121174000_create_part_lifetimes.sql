-- How long each item was used, and what riding costs. Computed on every call, never stored. The edge functions part-lifetimes
-- and spending turn this into lifetimes, medians and forecasts.

-- As in service_due, the starts and ends of all items divide each bike's rides into intervals, each interval is summed once,
-- and usage is the difference of two running sums. The cost grows with rides + items. PL/pgSQL, because it caches plans and
-- finds an element of an array without reading the ones before it.
create or replace function public.part_lifetimes(what_if jsonb default '[]') returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes longer than running them.
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  moment constant timestamptz := now();
  clock constant timestamp := private.wall_clock();
  -- Element n belongs to bound n: what was ridden on its bike, and on those before it, until then.
  rides_upto bigint[];
  distance_upto numeric[];
  moving_time_upto bigint[];
  -- Each item, and the bounds at which it starts and ends.
  ids bigint[];
  costs numeric[];
  starts timestamp[];
  ends timestamp[];
  first_bounds integer[];
  last_bounds integer[];
begin
  -- Row-level security would show others no lifetimes.
  if not private.is_owner() then
    return null;
  end if;

  with items as materialized (
    select item.id, item."bikeId" as gear_id,
      case when changed.id is null then item.cost else changed.cost end as cost,
      case when changed.id is null then item."dateStarted" else changed."dateStarted" end as since,
      coalesce(case when changed.id is null then item."dateEnded" else changed."dateEnded" end, 'infinity') as upto
    from public.maintenance as item
    left join jsonb_to_recordset(what_if)
      as changed (id bigint, cost numeric, "dateStarted" timestamp, "dateEnded" timestamp) using (id)
  ), bikes as materialized (
    select gear_id, array_agg(at order by at) as bounds, min(at) as earliest,
      (sum(count(*)) over (order by gear_id) - count(*))::integer as before
    from (select gear_id, since as at from items union all select gear_id, upto from items) as edges group by gear_id
  ), intervals as (
    -- Interval n is from bound n to bound n + 1. One scan per bike: joining the rides instead copies the array for each ride.
    select of_bike.number, of_bike.rides, of_bike.distance, of_bike.moving_time
    from bikes
    cross join lateral (
      select bikes.before + width_bucket(ride.started_at, bikes.bounds) as number,
        count(*)::integer as rides, sum(ride.distance) as distance, sum(coalesce(ride.moving_time, ride.duration)) as moving_time
      from public.rides as ride
      where ride.gear_id = bikes.gear_id and ride.started_at >= bikes.earliest
        and coalesce(ride.departed_at, ride.created_at) <= moment
      group by 1
    ) as of_bike
  ), running as (
    select coalesce(sum(intervals.rides) over before, 0) as rides, coalesce(sum(intervals.distance) over before, 0) as distance,
      coalesce(sum(intervals.moving_time) over before, 0) as moving_time
    from generate_series(1, (select 2 * count(*)::integer from items)) as number left join intervals using (number)
    window before as (order by number rows between unbounded preceding and 1 preceding)
    order by number
  ), sums as (
    select array_agg(rides) as rides, array_agg(distance) as distance, array_agg(moving_time) as moving_time from running
  ), places as (
    select array_agg(id) as ids, array_agg(cost) as costs, array_agg(since) as starts, array_agg(upto) as ends,
      array_agg(before + width_bucket(since, bounds)) as first_bounds, array_agg(before + width_bucket(upto, bounds)) as last_bounds
    from items join bikes using (gear_id)
  )
  select * into rides_upto, distance_upto, moving_time_upto, ids, costs, starts, ends, first_bounds, last_bounds
  from sums, places;

  return json_build_object(
    'items', (
      select coalesce(json_agg(items), '[]') from (
        select id, part_id, "bikeId" as gear_id, type, name, place.cost, since,
          case when upto <= clock or upto = since then upto end as upto, case when upto <= clock then ended_as end as ended_as,
          rides_upto[last_bound] - rides_upto[first_bound] as rides,
          distance_upto[last_bound] - distance_upto[first_bound] as distance,
          moving_time_upto[last_bound] - moving_time_upto[first_bound] as moving_time,
          greatest(least(upto, clock)::date - since::date, 0) as days
        from public.maintenance
        join unnest(ids, costs, starts, ends, first_bounds, last_bounds)
          as place (id, cost, since, upto, first_bound, last_bound) using (id)
      ) as items
    ),
    'services', (
      -- Paid services of a part. A replacement isn't a service: its cost belongs to the successor.
      select coalesce(json_agg(services), '[]') from (
        select event.part_id, item.cost
        from public.service_events as event join public.maintenance as item on item.id = event.maintenance_id
        where item.part_id <> event.part_id and item."dateEnded" = item."dateStarted"
      ) as services
    )
  );
end
$$;
comment on function public.part_lifetimes(jsonb) is
  '{items, services}: each item with meters, seconds and days until it ended, or until now, and the cost of each paid service of a part. what_if, [{id, cost, dateStarted, dateEnded}], replaces what is stored for these items. Null for anyone but the owner.';

create or replace function public.spending(from_day date default null, to_day date default null) returns json
language plpgsql stable security invoker set search_path = ''
-- As above. Planning the query takes as long as running it.
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  moment constant timestamptz := now();
  today constant date := private.today();
  since constant timestamp := coalesce(from_day, '-infinity');
  upto constant timestamp := coalesce(to_day + 1, 'infinity');
  year_ago constant timestamp := today - 365;
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
      -- Only rides on the owner's bikes, by the rule of usage: the date is known and not in the future.
      select gear_id, sum(distance) filter (where started_at >= since and started_at < upto) as distance,
        sum(coalesce(moving_time, duration)) filter (where started_at >= since and started_at < upto) as moving_time,
        sum(distance) filter (where started_at >= year_ago) as distance_of_year
      from public.rides
      where coalesce(departed_at, created_at) <= moment
      group by 1
    ), spent as materialized (
      select gear_id, type, cost from costs where day >= since and day < upto
    ), bikes as materialized (
      select bikes.gear_id, coalesce((select sum(cost) from spent where spent.gear_id = bikes.gear_id), 0) as cost,
        coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time,
        coalesce(distance_of_year, 0) as distance_of_year
      from public.bikes left join ridden using (gear_id)
      order by is_retired, name, gear_id
    ), types as (
      select type, sum(cost) as cost from spent group by 1
    )
    select json_build_object(
      'today', today,
      'months', (select coalesce(json_agg(months order by month, gear_id, type), '[]') from months),
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
  'Dollars per month of the owner''s log by bike and type; this year until today, and last year until the same day; and, for the days of a period, dollars by type and dollars, meters and seconds by bike. distance_of_year is that of the last 365 days. Null for anyone but the owner.';

-- Renaming the items of two spellings merges their groups. Returns the names as they were, with which it can be undone.
create or replace function public.rename_items(names jsonb) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  before json;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can rename items.' using errcode = '42501';
  end if;
  perform from public.maintenance as item
  where item.id in (select id from jsonb_to_recordset(names) as renamed (id bigint)) order by item.id for update;

  select coalesce(json_agg(json_build_object('id', item.id, 'name', item.name, 'was', renamed.name) order by item.id), '[]') into before
  from public.maintenance as item
  join jsonb_to_recordset(names) as renamed (id bigint, name text, was text) using (id)
  -- Undo keeps names that were edited since.
  where item.name <> renamed.name and (renamed.was is null or item.name = renamed.was);

  update public.maintenance as item set name = renamed.was
  from json_to_recordset(before) as renamed (id bigint, was text)
  where item.id = renamed.id;
  return before;
end
$$;
comment on function public.rename_items(jsonb) is
  'Writes [{id, name, was}]: the names of these items; was is optional, and an item whose name differs from it keeps its name. Returns the same list to undo it. Repeating a call changes nothing.';

-- Security invoker: row-level security decides what the caller gets, and the owner may rename items one by one.
revoke all on function public.part_lifetimes(jsonb), public.spending(date, date), public.rename_items(jsonb)
from public, anon, service_role;
grant execute on function public.part_lifetimes(jsonb), public.spending(date, date), public.rename_items(jsonb) to authenticated;
