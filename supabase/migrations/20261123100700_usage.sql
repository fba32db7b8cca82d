-- Usage is rides, distance and moving time, computed on every call and never stored.
--
-- A ride counts for an item if dateStarted <= started_at < dateEnded, in wall clock time. The end is excluded, so a ride
-- never counts for both an item and its successor. An item without an end counts every ride in private.counted_rides since
-- its start. Security invoker, so row-level security shows usage only to the owner.

-- Running time grows with the bike's rides and items, and with the rides and periods of its parts on other bikes.
create function public.maintenance_use(gear_id bigint, day date default null) returns json
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
declare
  -- Null without a day: all rides and items count.
  midnight constant timestamp := maintenance_use.day + 1;
begin
  return (
    with shown as materialized (
      select id, part_id from public.maintenance
      where "bikeId" = maintenance_use.gear_id
        and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
    ), items as materialized (
      -- The shown items, and all other items of their parts on any bike.
      select id, part_id, "bikeId", cost, "dateStarted", least("dateEnded", midnight) as until from public.maintenance
      where part_id in (select part_id from shown) and (midnight is null or "dateStarted" < midnight)
    ), used as materialized (
      select * from private.sum_rides(array(
        select (id, "bikeId", "dateStarted", until, false)::private.ride_range from items
        union all select (null, maintenance_use.gear_id, '-infinity', midnight, false)::private.ride_range
      ))
    ), services as (
      select part_id, sum(cost) as cost from private.paid_services where midnight is null or paid_at < midnight group by part_id
    ), kinds as (
      select id, min(kind) as kind from private.part_kinds group by id
    ), parts as (
      select part_id, array_agg(id order by "dateStarted", id) as item_ids, sum(rides) as rides,
        sum(distance) + coalesce(min(earlier_distance), 0) as distance,
        sum(moving_time) + coalesce(min(earlier_moving_time), 0) as moving_time,
        min(earlier_distance) as earlier_distance, min(earlier_moving_time) as earlier_moving_time,
        sum(items.cost) + coalesce(min(services.cost), 0) as cost,
        -- A part has the kind of its latest item.
        (array_agg(kind order by "dateStarted" desc, id desc))[1] as kind
      from items join used on key = id left join kinds using (id) left join services using (part_id)
      join (select id as part_id, earlier_distance, earlier_moving_time from public.parts) as part using (part_id)
      group by part_id order by part_id
    ), total as (
      select rides, distance, moving_time from used where key is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.gear_id = maintenance_use.gear_id and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(listed), '[]') from (
          select id, rides, distance, moving_time, first_ride, last_ride from used join shown on key = id order by id
        ) as listed
      ),
      'parts', (select coalesce(json_agg(parts), '[]') from parts)
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint, date) is
  'Returns rides, meters and seconds of a bike, its log items, and their parts over all bikes, as maintenance-use does. With a day: as of the end of that day, only for items on the bike at the time. Null for an unknown bike.';
grant execute on function public.maintenance_use(bigint, date) to authenticated;

create function private.period_usage(parts bigint[])
returns table (id bigint, rides bigint, distance numeric, moving_time bigint)
language sql stable security invoker set search_path = ''
as $$
  select key, rides, distance, moving_time from private.sum_rides(array(
    select (item.id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from public.maintenance as item
    where part_id = any (period_usage.parts)
  ))
$$;
comment on function private.period_usage(bigint[]) is 'Returns rides, meters and seconds of every item of these parts, over all bikes.';
grant execute on function private.period_usage(bigint[]) to authenticated;

create function public.part_history(part_id bigint) returns json
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
        'rides', sum(rides),
        'distance', sum(distance) + coalesce(min(earlier_distance), 0),
        'moving_time', sum(moving_time) + coalesce(min(earlier_moving_time), 0),
        'earlier_distance', min(earlier_distance), 'earlier_moving_time', min(earlier_moving_time),
        'cost', sum(cost) + (
          select coalesce(sum(service.cost), 0) from private.paid_services as service where service.part_id = part_history.part_id
        ),
        'days', sum(greatest(least(coalesce("dateEnded"::date, today), today) - "dateStarted"::date, 0))
      ) from periods, (select private.today() as today) as owner,
        (select earlier_distance, earlier_moving_time from public.parts where parts.id = part_history.part_id) as part
    ),
    'periods', (
      select json_agg(listed) from (
        select id, gear_id, name, cost, "dateStarted", "dateEnded", ended_as, rides, distance, moving_time
        from periods order by "dateStarted", id
      ) as listed
    ),
    'moved_together', (
      -- The parts that moved to this bike with this part: from the same bike on the same day.
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
  'Returns a part''s lifetime, including usage from before the log, its install periods with their usage, and the parts that moved with it in its last move. Null for an unknown part.';
grant execute on function public.part_history(bigint) to authenticated;

create function public.stored_parts() returns json
language sql stable security invoker set search_path = ''
as $$
  with stored as materialized (
    select latest.* from (
      select distinct on (part_id) * from public.maintenance
      order by part_id, coalesce("dateEnded", 'infinity') desc, "dateStarted" desc, id desc
    ) as latest
    where latest.ended_as = 'stored' and latest."dateEnded"::date <= private.today()
  ), parts as (
    select item.part_id, array_agg(item.id order by item."dateStarted", item.id) as item_ids, sum(used.rides) as rides,
      sum(used.distance) + coalesce(min(earlier_distance), 0) as distance,
      sum(used.moving_time) + coalesce(min(earlier_moving_time), 0) as moving_time,
      min(earlier_distance) as earlier_distance, min(earlier_moving_time) as earlier_moving_time,
      sum(item.cost) + (
        select coalesce(sum(service.cost), 0) from private.paid_services as service where service.part_id = item.part_id
      ) as cost,
      sum(item."dateEnded"::date - item."dateStarted"::date) as days
    from private.period_usage((select array_agg(part_id) from stored)) as used join public.maintenance as item using (id)
    join public.parts as part on part.id = item.part_id
    group by item.part_id
  )
  select json_build_object('parts', coalesce(json_agg(listed), '[]')) from (
    select parts.*, stored.id as item_id, stored."bikeId" as gear_id, stored.type, stored.name, stored."dateEnded" as stored_at
    from parts join stored using (part_id) order by stored."dateEnded" desc, stored.id
  ) as listed
$$;
comment on function public.stored_parts() is
  'Lists the parts in storage, whose last item ended as stored: {parts} with their usage over all bikes. item_id, gear_id and stored_at come from that item.';
grant execute on function public.stored_parts() to authenticated;

create function public.bike_timeline(gear_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'months', (
      select coalesce(json_agg(months), '[]') from (
        select to_char(ride.started_at, 'YYYY-MM') as month, count(*) as rides, coalesce(sum(ride.distance), 0) as distance,
          coalesce(sum(ride.moving_time), 0) as moving_time
        from private.counted_rides as ride
        where ride.gear_id = bike.gear_id and ride.started_at is not null
        group by 1 order by 1
      ) as months
    ),
    'services', (
      select coalesce(json_agg(services), '[]') from (
        select event.id, task.name, event.done_at::date as day, place.id as item_id, event.maintenance_id as paid_item_id
        from public.service_events as event
        join public.service_tasks as task on task.id = event.task_id
        left join lateral (
          -- The part's latest period that had started by then, or its first period.
          select period.id, period."bikeId" from public.maintenance as period where period.part_id = event.part_id
          order by greatest(period."dateStarted" - event.done_at, interval '0'), period."dateStarted" desc, period.id desc
          limit 1
        ) as place on true
        where coalesce(place."bikeId", task.gear_id) = bike.gear_id
        order by event.done_at, event.id
      ) as services
    )
  )
  from public.bikes as bike where bike.gear_id = bike_timeline.gear_id
$$;
comment on function public.bike_timeline(bigint) is
  'Returns a bike''s rides, meters and seconds by month, and the service events of the bike and its parts, each with the part''s item and the item with the cost. Null for an unknown bike.';
grant execute on function public.bike_timeline(bigint) to authenticated;
