-- Usage of parts: the sum over all their items, on any bike. Computed on every call, like that of items.

-- The row without an id is the bike's total. The rest of this function is explained in the migration of maintenance_use.
create or replace function private.item_usage(bike bigint, of_parts bigint[] default null, upto timestamp default null)
returns table (id bigint, part_id bigint, rides bigint, distance numeric, moving_time numeric, first_ride timestamp, last_ride timestamp)
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them.
set jit = off
as $$
declare
  moment constant timestamptz := now();
  -- Element n belongs to the nth interval that has rides: the sums up to its end, and its first and last ride.
  rides_upto bigint[];
  distance_upto numeric[];
  moving_time_upto numeric[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  with bounds as materialized (
    select array_agg(bound order by bound) as bounds
    from (
      select "dateStarted" as bound from public.maintenance as item
      where "bikeId" = bike and (of_parts is null or item.part_id in (select unnest(of_parts)))
      union
      select "dateEnded" from public.maintenance as item
      where "bikeId" = bike and "dateEnded" is not null and (of_parts is null or item.part_id in (select unnest(of_parts)))
    ) as of_items
  ), intervals as (
    -- Rides that count for no item, because they are in the future or have no date, are in interval null, which sorts last.
    select
      case when coalesce(departed_at, created_at) <= moment
        then width_bucket(started_at, (select bounds from bounds)) end as interval_number,
      count(*)::integer as rides, sum(ride.distance) as distance, sum(coalesce(ride.moving_time, duration)) as moving_time,
      min(started_at) as first_ride, max(started_at) as last_ride
    from public.rides as ride where gear_id = bike and (item_usage.upto is null or started_at < item_usage.upto)
    group by 1
  ), running as (
    select interval_number, intervals.first_ride, intervals.last_ride,
      sum(intervals.rides) over so_far as rides, coalesce(sum(intervals.distance) over so_far, 0) as distance,
      coalesce(sum(intervals.moving_time) over so_far, 0) as moving_time
    from intervals window so_far as (order by interval_number rows unbounded preceding)
    order by interval_number
  )
  select
    array_agg(running.rides), array_agg(running.distance), array_agg(running.moving_time),
    array_agg(running.first_ride) filter (where interval_number is not null), array_agg(running.last_ride)
  into rides_upto, distance_upto, moving_time_upto, first_rides, last_rides
  from running;

  return query
  with bounded as materialized (
    -- The number of intervals before the item's start and before its end. Subtracting a microsecond, the resolution of a
    -- timestamp, leaves out intervals whose first ride is exactly at that time.
    select item.id, item.part_id,
      width_bucket("dateStarted" - interval '1 microsecond', first_of_intervals) as since,
      width_bucket(coalesce("dateEnded", 'infinity') - interval '1 microsecond', first_of_intervals) as till
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every item.
    from public.maintenance as item, (select coalesce(first_rides[:], '{}') as first_of_intervals offset 0) as flattened
    where "bikeId" = bike and (of_parts is null or item.part_id in (select unnest(of_parts)))
  )
  select bounded.id, bounded.part_id,
    coalesce(rides_upto[till], 0) - coalesce(rides_upto[since], 0),
    coalesce(distance_upto[till], 0) - coalesce(distance_upto[since], 0),
    coalesce(moving_time_upto[till], 0) - coalesce(moving_time_upto[since], 0),
    case when till > since then first_rides[since + 1] end,
    case when till > since then last_rides[till] end
  from bounded
  union all
  select null, null, coalesce(rides_upto[cardinality(rides_upto)], 0), coalesce(distance_upto[cardinality(rides_upto)], 0),
    coalesce(moving_time_upto[cardinality(rides_upto)], 0), null, null;
end
$$;
comment on function private.item_usage(bigint, bigint[], timestamp) is
  'Rides, meters and seconds of a bike (id null) and of the items of its log, or only of those that belong to the given parts. With upto, only rides before that wall clock time count.';

-- A parameter with a default is another signature, which would make calls with one argument ambiguous.
drop function if exists public.maintenance_use(bigint);

-- The cost grows with the rides and items of the bike, and with the rides and periods of its parts on other bikes.
create or replace function public.maintenance_use(gear_id bigint, day date default null) returns json
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
declare
  -- Null: without a day, everything counts.
  midnight constant timestamp := maintenance_use.day + 1;
begin
  return (
    with shown as materialized (
      select item.id, item.part_id from public.maintenance as item
      where "bikeId" = maintenance_use.gear_id
        and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
    ), of_bike as materialized (
      select * from private.item_usage(maintenance_use.gear_id, null, midnight)
    ), used as (
      select of_bike.* from of_bike where of_bike.part_id in (select part_id from shown)
      union all
      select elsewhere.*
      from (
        select "bikeId" as bike, array_agg(distinct part_id) as parts from public.maintenance
        where "bikeId" <> maintenance_use.gear_id and part_id in (select part_id from shown)
        group by "bikeId"
      ) as other
      cross join lateral private.item_usage(other.bike, other.parts, midnight) as elsewhere where elsewhere.id is not null
    ), parts as (
      select used.part_id, array_agg(used.id order by item."dateStarted", used.id) as item_ids,
        sum(used.rides) as rides, sum(used.distance) as distance, sum(used.moving_time) as moving_time, sum(item.cost) as cost
      from used join public.maintenance as item using (id)
      where midnight is null or item."dateStarted" < midnight
      group by used.part_id order by used.part_id
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'total', (
        select json_build_object('rides', rides, 'distance', distance, 'moving_time', moving_time) from of_bike where id is null
      ),
      'items', (
        select coalesce(json_agg(items), '[]') from (
          select id, rides, distance, moving_time, first_ride, last_ride from of_bike join shown using (id) order by id
        ) as items
      ),
      'parts', (select coalesce(json_agg(parts), '[]') from parts)
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint, date) is
  'Rides, meters and seconds of a bike, of each item of its log, and of the parts of these items over all bikes, as maintenance-use returns them. With a day: as they were at the end of that day, only with the items that were on the bike then. Null for an unknown bike. A ride without a moving_time counts its duration.';
revoke all on function public.maintenance_use(bigint, date) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets, so only the owner sees usage.
grant execute on function public.maintenance_use(bigint, date) to authenticated;

create or replace function private.period_usage(parts bigint[])
returns table (id bigint, rides bigint, distance numeric, moving_time numeric)
language sql stable security invoker set search_path = ''
as $$
  select used.id, used.rides, used.distance, used.moving_time
  from (
    select distinct "bikeId" as bike from public.maintenance where part_id in (select unnest(period_usage.parts))
  ) as on_bike
  cross join lateral private.item_usage(on_bike.bike, period_usage.parts) as used where used.id is not null
$$;
comment on function private.period_usage(bigint[]) is 'Rides, meters and seconds of every item of the parts, over all bikes.';

create or replace function public.part_history(part_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  with periods as materialized (
    select item.id, item."bikeId" as gear_id, item.name, item.cost, item."dateStarted", item."dateEnded", item.ended_as,
      used.rides, used.distance, used.moving_time, lag(item."bikeId") over by_start as from_bike, lag(item."dateEnded") over by_start as from_time
    from public.maintenance as item join private.period_usage(array[part_history.part_id]) as used using (id)
    window by_start as (order by item."dateStarted", item.id)
  ), last as (
    select * from periods order by "dateStarted" desc, id desc limit 1
  )
  select json_build_object(
    'part_id', part_history.part_id,
    'lifetime', (
      select json_build_object(
        'rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time), 'cost', sum(cost),
        'days', sum(greatest(least(coalesce("dateEnded"::date, today), today) - "dateStarted"::date, 0))
      ) from periods, (select private.today() as today) as owner
    ),
    'periods', (
      select json_agg(listed) from (
        select id, gear_id, name, cost, "dateStarted", "dateEnded", ended_as, rides, distance, moving_time
        from periods order by "dateStarted", id
      ) as listed
    ),
    'moved_together', (
      -- The parts that came to this bike with this one: from the same bike on the same day.
      select coalesce(json_agg(arrived.part_id order by arrived.part_id), '[]')
      from last
      join public.maintenance as arrived on arrived."bikeId" = last.gear_id
        and arrived."dateStarted"::date = last."dateStarted"::date and arrived.part_id <> part_history.part_id
      where exists (
        select from public.maintenance as origin where origin.part_id = arrived.part_id and origin."bikeId" = last.from_bike
          and origin."dateEnded"::date = last.from_time::date
      )
    )
  )
  where exists (select from periods)
$$;
comment on function public.part_history(bigint) is
  'A part''s lifetime, its install periods with their usage, and the parts that moved together with it last time. Null for an unknown part.';

create or replace function public.stored_parts() returns json
language sql stable security invoker set search_path = ''
as $$
  with stored as materialized (
    select latest.* from (
      select distinct on (part_id) * from public.maintenance
      order by part_id, coalesce("dateEnded", 'infinity') desc, "dateStarted" desc, id desc
    ) as latest
    where latest.ended_as = 'stored' and latest."dateEnded"::date <= private.today()
  ), parts as (
    select item.part_id, array_agg(item.id order by item."dateStarted", item.id) as item_ids,
      sum(used.rides) as rides, sum(used.distance) as distance, sum(used.moving_time) as moving_time, sum(item.cost) as cost,
      sum(item."dateEnded"::date - item."dateStarted"::date) as days
    from private.period_usage((select array_agg(part_id) from stored)) as used join public.maintenance as item using (id)
    group by item.part_id
  )
  select json_build_object('parts', coalesce(json_agg(listed), '[]')) from (
    select parts.*, stored.id as item_id, stored."bikeId" as gear_id, stored.type, stored.name, stored."dateEnded" as stored_at
    from parts join stored using (part_id) order by stored."dateEnded" desc, stored.id
  ) as listed
$$;
comment on function public.stored_parts() is
  '{parts}: the parts that are in storage, with their usage over all bikes: those whose last item ended as stored. item_id, gear_id and stored_at are those of that item.';

revoke all on function private.item_usage(bigint, bigint[], timestamp), private.period_usage(bigint[]) from public;
grant execute on function private.item_usage(bigint, bigint[], timestamp), private.period_usage(bigint[]) to authenticated;
-- Security invoker: row-level security decides what the caller gets, so only the owner sees usage.
revoke all on function public.part_history(bigint), public.stored_parts() from public, anon, service_role;
grant execute on function public.part_history(bigint), public.stored_parts() to authenticated;
