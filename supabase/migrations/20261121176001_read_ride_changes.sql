-- What a sync changed, and the parts whose usage changed with it. Computed on every call from the rides before and after and
-- today's log, by the rule of maintenance_use.

create or replace function private.part_changes(sync_id bigint)
returns table (
  part_id bigint, rides bigint, distance numeric, moving_time numeric, ride_id bigint, counted_before boolean, counted_after boolean
)
language sql stable security invoker set search_path = '' set jit = off
as $$
  with bounds as materialized (
    select gear_id, array_agg(bound order by bound) as bounds
    from (
      select "bikeId" as gear_id, "dateStarted" as bound from public.maintenance
      union
      select "bikeId", "dateEnded" from public.maintenance where "dateEnded" is not null
    ) as of_items
    group by gear_id
  ), placed as materialized (
    -- The interval between two bounds of the bike in which the ride starts. All rides of an interval count for the same items.
    select change.ride_id, change.is_after, gear_id, width_bucket(started_at, bounds) as interval_number,
      coalesce(change.distance, 0) as distance, coalesce(change.moving_time, duration, 0) as moving_time
    from public.ride_changes as change join bounds using (gear_id)
    where change.sync_id = part_changes.sync_id and timezone(time_zone, started_at) <= now()
  ), moves as (
    select ride_id,
      before.gear_id as from_gear, before.interval_number as from_interval,
      after.gear_id as to_gear, after.interval_number as to_interval,
      (before.distance, before.moving_time) is distinct from (after.distance, after.moving_time) as differs,
      sign(coalesce(after.distance, 0) - coalesce(before.distance, 0)) as direction,
      coalesce(before.distance, 0) as distance_before, coalesce(after.distance, 0) as distance_after,
      coalesce(before.moving_time, 0) as moving_time_before, coalesce(after.moving_time, 0) as moving_time_after
    from (select * from placed where not is_after) as before
    full join (select * from placed where is_after) as after using (ride_id)
  ), kinds as materialized (
    -- Rides that moved between the same intervals change the same parts. The cost grows with rides + intervals × items.
    select row_number() over () as kind, from_gear, from_interval, to_gear, to_interval, differs, direction, count(*) as rides,
      sum(distance_before) as distance_before, sum(distance_after) as distance_after,
      sum(moving_time_before) as moving_time_before, sum(moving_time_after) as moving_time_after,
      (array_agg(ride_id order by weight desc, ride_id))[1] as top_ride, max(weight) as weight
    from moves
    cross join lateral (
      select case when (from_gear, from_interval) is not distinct from (to_gear, to_interval)
        then abs(distance_after - distance_before) else greatest(distance_after, distance_before) end
    ) as weighed (weight)
    group by from_gear, from_interval, to_gear, to_interval, differs, direction
  ), items as materialized (
    select item.part_id, gear_id, width_bucket("dateStarted", bounds) as since,
      coalesce(width_bucket("dateEnded", bounds), cardinality(bounds) + 1) as upto
    from public.maintenance as item join bounds on gear_id = "bikeId"
  ), counted as (
    select kind, items.part_id, bool_or(not is_after) as before, bool_or(is_after) as after
    from (
      select kind, false as is_after, from_gear as gear_id, from_interval as interval_number from kinds
      union all
      select kind, true, to_gear, to_interval from kinds
    ) as sides
    join items on items.gear_id = sides.gear_id and interval_number >= since and interval_number < upto
    group by kind, items.part_id
  ), effects as (
    select part_id, top_ride, before, after, weight, kind, delta.distance,
      sum(rides) over of_part as rides, sum(delta.distance) over of_part as distance_of_part,
      sum(delta.moving_time) over of_part as moving_time_of_part
    from counted
    join kinds using (kind)
    cross join lateral (
      select
        case when after then distance_after else 0 end - case when before then distance_before else 0 end,
        case when after then moving_time_after else 0 end - case when before then moving_time_before else 0 end
    ) as delta (distance, moving_time)
    where before <> after or differs
    window of_part as (partition by part_id)
  )
  -- The ride that moved most in the direction of the sum comes first.
  select distinct on (part_id) part_id, rides::bigint, distance_of_part, moving_time_of_part, top_ride, before, after
  from effects
  where distance_of_part <> 0 or moving_time_of_part <> 0
  order by part_id, sign(distance) * sign(distance_of_part) desc, weight desc, kind
$$;
comment on function private.part_changes(bigint) is
  'The parts whose usage a sync changed: by how many rides, meters and seconds, and the ride that moved it most in that direction, with whether it counted for the part before and after.';

create or replace function private.ride_change(sync_id bigint, ride_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'ride_id', ride_change.ride_id,
    'before', (array_agg(facts) filter (where not is_after))[1],
    'after', (array_agg(facts) filter (where is_after))[1]
  )
  from public.ride_changes as change
  cross join lateral (select to_jsonb(change) - '{id,sync_id,ride_id,is_after}'::text[]) as of_ride (facts)
  where change.sync_id = ride_change.sync_id and change.ride_id = ride_change.ride_id
$$;
comment on function private.ride_change(bigint, bigint) is 'A ride before and after a sync. Null if it was added or removed.';

create or replace function public.changes_of_sync(sync_id bigint default null, skip integer default 0) returns json
language sql stable security invoker set search_path = '' set jit = off
as $$
  with sync as materialized (
    select * from public.ride_syncs
    where id = coalesce(changes_of_sync.sync_id, (select max(change.sync_id) from public.ride_changes as change))
  ), rides as materialized (
    select ride_id, max(started_at) as started_at,
      case when bool_and(is_after) then 'added' when bool_or(is_after) then 'changed' else 'removed' end as kind
    from public.ride_changes as change where change.sync_id = (select id from sync)
    group by ride_id
  ), parts as materialized (
    -- Only with the first page.
    select change.* from sync cross join lateral private.part_changes(sync.id) as change where changes_of_sync.skip = 0
  )
  select json_build_object(
    'sync', (
      select json_build_object(
        'id', sync.id, 'started_at', sync.started_at, 'outcome', sync.outcome,
        'added', (select count(*) from rides where kind = 'added'),
        'changed', (select count(*) from rides where kind = 'changed'),
        'removed', (select count(*) from rides where kind = 'removed')
      ) from sync
    ),
    'rides', (
      select coalesce(json_agg(private.ride_change((select id from sync), ride_id) order by number), '[]') from (
        select ride_id, row_number() over in_order as number from rides
        window in_order as (order by array_position('{changed,removed,added}', kind), started_at desc nulls last, ride_id)
        order by number limit 50 offset changes_of_sync.skip
      ) as page
    ),
    'parts', (
      select coalesce(json_agg(page), '[]') from (
        select change.part_id, item.id as item_id, item."bikeId" as gear_id, item.type, item.name,
          change.rides, change.distance, change.moving_time, private.ride_change((select id from sync), ride_id) as ride,
          counted_before, counted_after
        from parts as change
        cross join lateral (
          select * from public.maintenance where part_id = change.part_id order by "dateStarted" desc, id desc limit 1
        ) as item
        order by abs(change.distance) desc, abs(change.moving_time) desc, change.part_id
        limit 50
      ) as page
    ),
    'part_count', (select count(*) from parts),
    'older', (select max(change.sync_id) from public.ride_changes as change where change.sync_id < (select id from sync))
  )
  -- Row-level security would show others an empty answer.
  where private.is_owner()
$$;
comment on function public.changes_of_sync(bigint, integer) is
  'What a sync changed, by default the last one that changed something: 50 rides after the first `skip`, before and after; with the first of them, the 50 parts whose usage changed most; and the next older sync. The sync is null if there is none. Null for anyone but the owner.';

revoke all on function private.part_changes(bigint), private.ride_change(bigint, bigint) from public;
grant execute on function private.part_changes(bigint), private.ride_change(bigint, bigint) to authenticated;
revoke all on function public.changes_of_sync(bigint, integer) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.changes_of_sync(bigint, integer) to authenticated;
