-- The changes of each sync. Triggers record the rides before and after it.

-- Security definer: no role may write public.ride_changes.
create function private.record_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- The ride's columns.
  facts constant text := (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
    where attrelid = 'public.ride_changes'::regclass and attnum > 0 and attname not in ('id', 'sync_id', 'ride_id', 'is_after')
  );
  has_rides boolean;
  sync public.ride_syncs;
begin
  -- This runs for every page of a sync, and most pages change nothing.
  execute format('select exists (select from %s)', case tg_op when 'DELETE' then 'old_rides' else 'new_rides' end) into has_rides;
  if not has_rides then
    return null;
  end if;

  -- The owner only deletes rides in remove_missing_rides. Those changes belong to the last successful sync.
  select * into sync from public.ride_syncs
  where outcome = case when private.is_owner() then 'ok' else 'running' end order by id desc limit 1;
  -- Don't record an account's first sync, because every ride is new.
  if not exists (select from public.ride_syncs where outcome = 'ok' and rwgps_user_id = sync.rwgps_user_id) then
    return null;
  end if;

  -- Rides with unchanged facts appear in neither difference.
  execute format(
    'insert into public.ride_changes (sync_id, is_after, ride_id, %s) select $1, version.* from (%s) as version', facts,
    case tg_op
      when 'INSERT' then format('select true, id, %s from new_rides', facts)
      when 'DELETE' then format('select false, id, %s from old_rides', facts)
      else format(
        'select false, * from (select id, %1$s from old_rides except select id, %1$s from new_rides) as differing
        union all
        select true, * from (select id, %1$s from new_rides except select id, %1$s from old_rides) as differing', facts
      )
    end
  ) using sync.id;
  return null;
end
$$;
comment on function private.record_ride_changes() is 'Records which rides the running sync added, changed or removed.';

create trigger record_added_rides
after insert on public.rides referencing new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_changed_rides
after update on public.rides referencing old table as old_rides new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_removed_rides
after delete on public.rides referencing old table as old_rides
for each statement execute function private.record_ride_changes();

-- Security definer: no role may write public.ride_changes.
create function private.forget_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Reads about a year of syncs, and none if there are no changes.
  delete from public.ride_changes where sync_id in (
    select id from public.ride_syncs
    where id >= (select min(sync_id) from public.ride_changes)
      and (started_at < now() - interval '1 year' or rwgps_user_id is null)
  );
  return null;
end
$$;
comment on function private.forget_ride_changes() is 'Deletes changes that are older than a year or belong to a forgotten account.';

create trigger forget_ride_changes
after update of outcome, rwgps_user_id on public.ride_syncs
for each statement execute function private.forget_ride_changes();

-- A sync's changes, and the parts whose usage they changed, computed on every call from the rides before and after the sync
-- and the current log.

create function private.ride_versions(sync_id bigint, ride_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'ride_id', ride_versions.ride_id,
    'before', (array_agg(facts) filter (where not is_after))[1],
    'after', (array_agg(facts) filter (where is_after))[1]
  )
  from public.ride_changes as change
  cross join lateral (select to_jsonb(change) - '{id,sync_id,ride_id,is_after}'::text[]) as of_ride (facts)
  where change.sync_id = ride_versions.sync_id and change.ride_id = ride_versions.ride_id
$$;
comment on function private.ride_versions(bigint, bigint) is 'Returns a ride before and after a sync. before is null for an added ride, after for a removed one.';
grant execute on function private.ride_versions to authenticated;

create function public.changes_of_sync(sync_id bigint default null, skip integer default 0) returns json
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
  ), versions as materialized (
    -- Parts are only returned with the first page.
    select *, case when is_after then 1 else -1 end as sign
    from private.counted_ride_changes as change
    where change.sync_id = (select id from sync) and changes_of_sync.skip = 0
  ), periods as materialized (
    -- Materialized, because right after a sync the planner underestimates the versions and would compare them with every period.
    select part_id, period.gear_id, since, until from private.install_periods as period where gear_id in (select gear_id from versions)
  ), moments as (
    select gear_id, started_at as at, sign * distance as distance, sign * moving_time as moving_time, null::bigint as part_id, null::integer as side
    from versions
    union all
    select gear_id, since, 0, 0, part_id, -1 from periods
    union all
    select gear_id, until, 0, 0, part_id, 1 from periods
  ), running as (
    -- Rides that start with a period count for it, so they come after its start.
    select part_id, side, sum(distance) over so_far as distance, sum(moving_time) over so_far as moving_time
    from moments window so_far as (partition by gear_id order by at, side nulls last rows unbounded preceding)
  ), parts as materialized (
    select part_id, sum(side * distance) as distance, sum(side * moving_time) as moving_time from running where part_id is not null
    group by part_id having sum(side * distance) <> 0 or sum(side * moving_time) <> 0
  ), shown as materialized (
    select * from parts order by abs(distance) desc, abs(moving_time) desc, part_id limit 50
  ), moved as (
    select part_id, ride_id, shown.distance as total, sum(sign * version.distance) as distance,
      bool_or(not is_after) as counted_before, bool_or(is_after) as counted_after
    from shown join periods using (part_id) join versions as version using (gear_id)
    where since <= started_at and started_at < until
    group by part_id, ride_id, shown.distance
    having bool_or(is_after) <> bool_or(not is_after) or sum(sign * version.distance) <> 0 or sum(sign * version.moving_time) <> 0
  ), reasons as (
    -- Pick the ride that changed the part's usage most, in the direction of the total change.
    select distinct on (part_id) part_id, ride_id, counted_before, counted_after, count(*) over (partition by part_id) as rides
    from moved order by part_id, sign(distance) * sign(total) desc, abs(distance) desc, ride_id
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
      select coalesce(json_agg(private.ride_versions((select id from sync), ride_id) order by number), '[]') from (
        select ride_id, row_number() over in_order as number from rides
        window in_order as (order by array_position('{changed,removed,added}', kind), started_at desc nulls last, ride_id)
        order by number limit 50 offset changes_of_sync.skip
      ) as page
    ),
    'parts', (
      select coalesce(json_agg(page), '[]') from (
        select shown.part_id, item.id as item_id, item."bikeId" as gear_id, item.type, item.name,
          rides, shown.distance, shown.moving_time, private.ride_versions((select id from sync), ride_id) as ride,
          counted_before, counted_after
        from shown
        join reasons using (part_id)
        cross join lateral (
          select * from public.maintenance where part_id = shown.part_id order by "dateStarted" desc, id desc limit 1
        ) as item
        order by abs(shown.distance) desc, abs(shown.moving_time) desc, shown.part_id
      ) as page
    ),
    'part_count', (select count(*) from parts),
    'older', (select max(change.sync_id) from public.ride_changes as change where change.sync_id < (select id from sync))
  )
  -- Row-level security only hides rows, so other users would get an empty answer instead of null.
  where private.is_owner()
$$;
comment on function public.changes_of_sync(bigint, integer) is
  'Returns a sync''s changes, by default those of the last sync with changes: 50 rides after the first `skip`, before and after the sync; on the first page also the 50 parts whose usage changed most; and the next older sync with changes. sync is null if no sync changed anything. Null for anyone but the owner.';
-- Security invoker, so row-level security applies.
grant execute on function public.changes_of_sync to authenticated;
