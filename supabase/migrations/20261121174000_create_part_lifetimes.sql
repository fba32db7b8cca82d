-- How long each part lasted, and what it cost. Computed on every call, never stored. The edge functions part-lifetimes and
-- spending turn these rows into medians and forecasts.

create or replace function public.part_lifetimes() returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
  with clock as materialized (
    select private.wall_clock() as now
  ), used as materialized (
    select used.id, used.rides, used.distance, used.moving_time
    from (select distinct "bikeId" as bike from public.maintenance) as on_bike
    cross join lateral private.item_usage(on_bike.bike) as used
    where used.id is not null
  ), periods as materialized (
    -- Items that start and end at the same time are work, not part of a lifetime.
    select item.part_id, item.id, item."bikeId" as gear_id, item.type, item.name, item.ended_as, item."dateStarted" as since,
      coalesce(item."dateEnded", 'infinity') as upto, used.rides, used.distance, used.moving_time
    from public.maintenance as item join used using (id)
    where item."dateEnded" is distinct from item."dateStarted"
  ), latest as (
    select distinct on (part_id) part_id, id, gear_id, type, name, ended_as, upto
    from periods order by part_id, since desc, id desc
  ), sums as (
    select part_id, array_agg(id order by since, id) as item_ids, array_agg(distinct gear_id) as gear_ids,
      min(since) as started, sum(rides) as rides, sum(distance) as distance, sum(moving_time) as moving_time,
      sum(greatest(least(upto, now)::date - since::date, 0)) as days
    from periods, clock
    group by part_id
  ), costs as (
    select part_id, sum(cost) as cost
    from (
      select part_id, cost from public.maintenance
      union all
      -- Paid services of the part. A replacement isn't a service: its cost belongs to the successor.
      select event.part_id, item.cost
      from public.service_events as event join public.maintenance as item on item.id = event.maintenance_id
      where item.part_id <> event.part_id and item."dateEnded" = item."dateStarted"
    ) as of_parts
    group by part_id
  ), lifetimes as (
    select sums.part_id, latest.id as item_id, latest.gear_id, latest.type, latest.name,
      rides, distance, moving_time, days, coalesce(cost, 0) as cost,
      case when upto <= now then ended_as end as ended_as, upto > now as running,
      started, case when upto <= now then upto end as ended, item_ids, gear_ids
    from sums join latest using (part_id) left join costs using (part_id), clock
  )
  select json_build_object('lifetimes', (
    select coalesce(json_agg(lifetimes order by started, part_id), '[]') from lifetimes
  ))
  -- Row-level security would show others no lifetimes.
  where private.is_owner()
$$;
comment on function public.part_lifetimes() is
  '{lifetimes}: one per part, over all its items, with meters, seconds, days and dollars. item_id, gear_id, type, name and ended_as are those of its last item. cost includes paid services. Null for anyone but the owner.';

create or replace function public.spending(from_day date default null, to_day date default null) returns json
language sql stable security invoker set search_path = '' set jit = off
as $$
  with today as materialized (
    select private.today() as today
  ), costs as materialized (
    select "dateStarted"::date as day, "bikeId" as gear_id, type, cost from public.maintenance where cost <> 0
  ), months as (
    select to_char(day, 'YYYY-MM') as month, gear_id, type, sum(cost) as cost from costs group by 1, 2, 3
  ), ridden as materialized (
    -- Only rides on the owner's bikes, by the rule of usage: the date is known and not in the future.
    select gear_id, sum(distance) filter (where is_in_period) as distance,
      sum(coalesce(moving_time, duration)) filter (where is_in_period) as moving_time,
      sum(distance) filter (where started_at >= today - 365) as distance_of_year
    from today, public.rides
    cross join lateral (
      select started_at >= coalesce(from_day, '-infinity') and started_at < coalesce(to_day + 1, 'infinity') as is_in_period
    ) as period
    where coalesce(departed_at, created_at) <= now()
    group by 1
  ), spent as materialized (
    select gear_id, type, cost from costs where day >= coalesce(from_day, '-infinity') and day <= coalesce(to_day, 'infinity')
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
  from today
  where private.is_owner()
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
revoke all on function public.part_lifetimes(), public.spending(date, date), public.rename_items(jsonb)
from public, anon, service_role;
grant execute on function public.part_lifetimes(), public.spending(date, date), public.rename_items(jsonb) to authenticated;
